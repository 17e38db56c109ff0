import { pipe } from 'fp-ts/lib/function.js'
import { test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import type { Device } from '../../backends/index.js'
import {
  bool,
  causalAttention,
  entropy,
  f32,
  gelu,
  groupStd,
  i32,
  layerNorm,
  logSoftmax,
  maskedMax,
  maskedMean,
  maskedSoftmax,
  maskedStd,
  mul,
  oneHot,
  program,
  relu,
  rmsNorm,
  rotary,
  type Scalar,
  silu,
  slice,
  std,
  sum,
  type Tensor,
  toBool,
  toF32,
  tokenLogProbs,
  where,
  withinLength,
} from '../../dsl/index.js'
import { agreeing, load } from './opened.js'

type Rows = Tensor<'row' | 'n'>
type Mask = Tensor<'row' | 'n', 'bool'>

interface Given {
  readonly x: Rows
  readonly mask: Mask
  readonly ids: Tensor<'row', 'i32'>
  readonly weights: Tensor<'n'>
}

type Word = (given: Given) => Rows | Tensor<'row'>

const words: Readonly<Record<string, Word>> = {
  logSoftmax: ({ x }) => pipe(x, logSoftmax('n')),
  tokenLogProbs: ({ x, ids }) => pipe(x, tokenLogProbs('n')(ids)),
  entropy: ({ x }) => pipe(x, entropy('n')),
  maskedSoftmax: ({ x, mask }) => pipe(x, maskedSoftmax(mask, 'n')),
  relu: ({ x }) => relu(x),
  silu: ({ x, mask }) => silu(pipe(x, where(mask))),
  gelu: ({ x, mask }) => pipe(x, where(mask), gelu({ approximate: 'none' })),
  rmsNorm: ({ x, mask, weights }) => pipe(x, where(mask), rmsNorm('n', { epsilon: 1e-3, weight: weights })),
  layerNorm: ({ x, mask, weights }) => pipe(x, where(mask), layerNorm('n', { epsilon: 1e-3, bias: weights })),
  maskedMean: ({ x, mask }) => pipe(x, maskedMean(mask, 'n')),
  maskedMax: ({ x, mask }) => pipe(x, maskedMax(mask, 'n')),
  maskedStd: ({ x, mask }) => pipe(x, maskedStd(mask, 'n', { ddof: 1 })),
  std: ({ x, mask }) => pipe(x, where(mask), std('n', { ddof: 0 })),
  groupStd: ({ x, mask, ids }) => pipe(x, groupStd(ids, { ddof: 1, mask })),
  rotary: ({ x, mask }) => pipe(x, where(mask), rotary('n', { base: 100, positions: 'row' })),
  causalAttention: ({ x, mask }) => {
    const y = pipe(x, where(mask))
    return causalAttention('row', 'n')(y, y, y, pipe(mask, slice('n', { to: 1 }), toF32, sum('n'), toBool))
  },
}

/** A word's value, and the gradient by the rows of its weighted sum. */
const withSlopes = (word: Word, given: Given) => ({
  value: word(given),
  slopes: grad((x: Rows): Scalar => {
    const made = word({ ...given, x })
    return made.axes.length === 2 ? pipe(mul(made as Rows, given.weights), sum('row', 'n')) : pipe(made as Tensor<'row'>, sum('row'))
  })(given.x),
})

const p = program({
  inputs: { x: f32('row', 'n'), mask: bool('row', 'n'), ids: i32('row'), weights: f32('n') },
  body: (given) => ({
    outputs: {
      ...Object.fromEntries(Object.entries(words).map(([name, word]) => [name, withSlopes(word, given)])),
      oneHot: pipe(given.ids, oneHot('n', { size: 3 })),
      withinLength: pipe(given.ids, withinLength('n', { size: 3 })),
    },
  }),
})

const [a, b, c] = [0.75, -1.5, 1000]

/** Rows of which one is far from 0, one of equals and one has −∞; of one of them the mask keeps nothing. */
const given = {
  x: { sizes: [4, 4], data: [a, b, 0, -0, c, c - 1, c + 0.5, c, 3, 3, 3, 3, a, -Infinity, b, a] },
  mask: { sizes: [4, 4], data: [1, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 1, 1, 0, 1, 0] },
  ids: { sizes: [4], data: [2, 0, 3, 1] },
  weights: { sizes: [4], data: [1, -1, 0.5, 2] },
}

/** What is composed of the language's nodes has on every device the values and gradients that the reference has, at the edges too. */
export const describeCompositions = (device: () => Device): void => {
  test('every composed word is what the reference makes of it, with its gradient', async () => {
    await agreeing(p, await load(device(), p), given)
  })
}
