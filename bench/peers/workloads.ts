import type { DecoderSizes } from './inputs/decoder.js'
import { type Inputs, inputsOf, type Kind, type Sizes } from './inputs/index.js'

/** Something to be measured: what is computed, and at which sizes. */
export interface WorkloadOf<K extends Kind> {
  readonly name: string
  readonly kind: K
  readonly title: string
  readonly sizes: Sizes[K]
  /** Other sizes, at which it is called for the first time once it has been measured. */
  readonly resized: Sizes[K]
}

export type Workload = { readonly [K in Kind]: WorkloadOf<K> }[Kind]

const small: DecoderSizes = { batch: 64, time: 64, vocab: 968, width: 64, layers: 3, heads: 2, ffn: 168, deviation: 0.02 }

const large: DecoderSizes = { batch: 8, time: 128, vocab: 4096, width: 256, layers: 6, heads: 4, ffn: 688, deviation: 0.02 }

/** One token is given, and 32 are decoded behind it. */
const decoded: DecoderSizes = { ...small, time: 33, deviation: 0.08 }

export const workloads: readonly Workload[] = [
  {
    name: 'W1a',
    kind: 'product',
    title: 'product [512, 512]·[512, 512]',
    sizes: { rows: 512, depth: 512, columns: 512 },
    resized: { rows: 448, depth: 512, columns: 512 },
  },
  {
    name: 'W1b',
    kind: 'product',
    title: 'product [1024, 64]·[64, 168]',
    sizes: { rows: 1024, depth: 64, columns: 168 },
    resized: { rows: 960, depth: 64, columns: 168 },
  },
  {
    name: 'W1c',
    kind: 'product',
    title: 'product [1024, 64]·[64, 968]',
    sizes: { rows: 1024, depth: 64, columns: 968 },
    resized: { rows: 960, depth: 64, columns: 968 },
  },
  {
    name: 'W2',
    kind: 'pointwise',
    title: 'mean(exp(−x²)·sigmoid(x) + tanh(x)) and its gradient, 2²² elements',
    sizes: { elements: 4_194_304 },
    resized: { elements: 3_000_000 },
  },
  {
    name: 'W3',
    kind: 'tokens',
    title: 'masked mean of token log-probabilities and its gradient, [64, 64, 968]',
    sizes: { batch: 64, time: 64, vocab: 968 },
    resized: { batch: 48, time: 40, vocab: 968 },
  },
  {
    name: 'W4',
    kind: 'grpo',
    title: 'GRPO’s loss and its gradient, [256, 512]',
    sizes: { batch: 256, time: 512 },
    resized: { batch: 192, time: 320 },
  },
  {
    name: 'W5',
    kind: 'step',
    title: 'training step of a decoder, 208 k parameters, 64 × 64 tokens',
    sizes: small,
    resized: { ...small, batch: 16, time: 48 },
  },
  {
    name: 'W6',
    kind: 'step',
    title: 'training step of a decoder, 5.8 M parameters, 8 × 128 tokens',
    sizes: large,
    resized: { ...large, batch: 2, time: 48 },
  },
  {
    name: 'W7',
    kind: 'decoding',
    title: '64 sequences decoded greedily, 32 tokens each, with a cache',
    sizes: decoded,
    resized: { ...decoded, batch: 24, time: 17 },
  },
  {
    name: 'chain',
    kind: 'chain',
    title: '64 products of [8, 4]·[4, 4], each of what the last made',
    sizes: { rows: 8 },
    resized: { rows: 24 },
  },
]

/** What a workload is given, at its own sizes or at the others. */
export const givenTo = <K extends Kind>({ kind, name }: WorkloadOf<K>, sizes: Sizes[K]): Inputs => inputsOf(kind, name, sizes)
