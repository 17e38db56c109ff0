import { type HostArray, ids, normal, ones, rotaryTables, spans } from './tensor.js'

/** The sizes of a decoder and of what it reads. */
export interface DecoderSizes {
  readonly batch: number
  readonly time: number
  readonly vocab: number
  readonly width: number
  readonly layers: number
  readonly heads: number
  readonly ffn: number
  /** Of its weights at first, the norms' apart, which are 1. */
  readonly deviation: number
}

export const rotaryBase = 500
export const normEpsilon = 1e-5

const layerShapes = (layer: number, { width, ffn }: DecoderSizes): readonly (readonly [string, readonly number[]])[] => [
  [`n1.${String(layer)}`, [width]],
  [`wq.${String(layer)}`, [width, width]],
  [`wk.${String(layer)}`, [width, width]],
  [`wv.${String(layer)}`, [width, width]],
  [`wo.${String(layer)}`, [width, width]],
  [`n2.${String(layer)}`, [width]],
  [`w1.${String(layer)}`, [width, ffn]],
  [`w3.${String(layer)}`, [width, ffn]],
  [`w2.${String(layer)}`, [ffn, width]],
]

/** The parameters in order. Each matrix is [in, out]; the embedding is the output matrix, too; there are no biases. */
export const parameterShapes = (sizes: DecoderSizes): readonly (readonly [string, readonly number[]])[] => [
  ['emb', [sizes.vocab, sizes.width]],
  ...Array.from({ length: sizes.layers }, (_, layer) => layerShapes(layer, sizes)).flat(),
  ['nf', [sizes.width]],
]

export const parametersOf = (task: string, sizes: DecoderSizes): Readonly<Record<string, HostArray>> =>
  Object.fromEntries(
    parameterShapes(sizes).map(([name, shape]) => [
      name,
      name.startsWith('n') ? ones(shape) : normal(`${task}/${name}`, shape, sizes.deviation),
    ]),
  )

/** Tokens, those that follow them, and what a policy-gradient loss reads of them. */
const batchOf = (task: string, { batch, time, vocab }: DecoderSizes): Readonly<Record<string, HostArray>> => {
  const size = `${String(batch)}x${String(time)}`
  const tokens = ids(`${task}/ids/${size}`, [batch, time + 1], vocab)
  const behind = (offset: number): HostArray => {
    const at = (i: number): number => tokens.data[Math.floor(i / time) * (time + 1) + (i % time) + offset]!
    return { shape: [batch, time], data: Int32Array.from({ length: batch * time }, (_, i) => at(i)) }
  }
  const likely = (name: string): HostArray => normal(`${task}/${name}/${size}`, [batch, time], 0.1, -Math.log(vocab))
  return {
    x: behind(0),
    y: behind(1),
    old: likely('old'),
    ref: likely('ref'),
    adv: normal(`${task}/adv/${String(batch)}`, [batch], 1, 0.5),
    mask: spans(`${task}/mask/${size}`, [batch, time]),
  }
}

export const decoderInputs = (task: string, sizes: DecoderSizes): Readonly<Record<string, HostArray>> => ({
  ...parametersOf(task, sizes),
  ...batchOf(task, sizes),
  ...rotaryTables(sizes.time, sizes.width / sizes.heads, rotaryBase),
})
