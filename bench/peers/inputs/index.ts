import { decoderInputs, type DecoderSizes } from './decoder.js'
import { type HostArray, ids, noisy, normal, spans } from './tensor.js'

/** The sizes that the inputs of each task have. */
export interface Sizes {
  readonly product: { readonly rows: number; readonly depth: number; readonly columns: number }
  readonly pointwise: { readonly elements: number }
  readonly tokens: { readonly batch: number; readonly time: number; readonly vocab: number }
  readonly grpo: { readonly batch: number; readonly time: number }
  readonly step: DecoderSizes
  readonly decoding: DecoderSizes
  readonly chain: { readonly rows: number }
}

export type Kind = keyof Sizes

/** Arrays by name. Those of a decoder's parameters are named as in `parameterShapes`. */
export type Inputs = Readonly<Record<string, HostArray>>

/** How wide the products of a chain are. */
const chainWidth = 4

const makers: { readonly [K in Kind]: (task: string, sizes: Sizes[K]) => Inputs } = {
  product: (task, { rows, depth, columns }) => ({
    a: normal(`${task}/a`, [rows, depth]),
    b: normal(`${task}/b`, [depth, columns]),
  }),
  pointwise: (task, { elements }) => ({ x: normal(`${task}/x`, [elements], 1.5) }),
  tokens: (task, { batch, time, vocab }) => ({
    logits: normal(`${task}/logits`, [batch, time, vocab], 2),
    ids: ids(`${task}/ids`, [batch, time], vocab),
    mask: spans(`${task}/mask`, [batch, time]),
  }),
  grpo: (task, { batch, time }) => {
    const old = normal(`${task}/old`, [batch, time], 0.5, -2)
    return {
      old,
      logp: noisy(`${task}/new`, old, 0.2),
      ref: noisy(`${task}/ref`, old, 0.2),
      adv: normal(`${task}/adv`, [batch], 1, 0.5),
      mask: spans(`${task}/mask`, [batch, time]),
    }
  },
  step: decoderInputs,
  decoding: decoderInputs,
  chain: (task, { rows }) => ({
    x: normal(`${task}/x`, [rows, chainWidth]),
    w: normal(`${task}/w`, [chainWidth, chainWidth], chainWidth ** -0.5),
  }),
}

/** What a task is given at these sizes, the same bits on every machine. */
export const inputsOf = <K extends Kind>(kind: K, task: string, sizes: Sizes[K]): Inputs => makers[kind](task, sizes)
