import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bool, defineLoss, f32, iota, maskedSoftmax, mul, sizeAlong, sum, type Tensor, toF32 } from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { in32, in64, type OfRow } from './of-row.js'
import { expectRightGradient } from './right-gradient.js'

/** The mean place under the masked softmax. */
const meanPlace: OfRow = (x, mask) => pipe(mul(pipe(x, maskedSoftmax(mask, 'n')), toF32(iota('n', sizeAlong('n')(x)))), sum('n'))

const readers = [
  { read: in64(meanPlace), tolerance: 1e-12 },
  { read: in32(meanPlace), tolerance: 1e-5 },
]

const anyRow = fc.array(fc.tuple(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0, 1)), { maxLength: 6 })

const total = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

law(
  'it is the softmax of what the mask keeps, and 0 elsewhere, whatever is there; 0 where nothing is kept',
  fc.property(anyRow, fc.constantFrom(NaN, Infinity, -Infinity, 1e30), (row, junk) => {
    const weights = row.map(([x, kept]) => (kept === 1 ? Math.exp(x) : 0))
    const probabilities = weights.map((w) => (w === 0 ? 0 : w / total(weights)))
    const mean = total(probabilities.map((q, i) => q * i))
    const x = row.map(([v, kept]) => (kept === 1 ? v : junk))
    const mask = row.map(([, kept]) => kept)
    return readers.every(({ read, tolerance }) => {
      const { value, slopes } = read(x, mask)
      const close = (got: number, expected: number): boolean => Math.abs(got - expected) <= tolerance
      return close(value, mean) && slopes.every((slope, i) => close(slope, probabilities[i]! * (i - mean)))
    })
  }),
)

const rowOf = (x: readonly number[], mask: readonly number[]): readonly number[] =>
  elements({ x: f32('n'), mask: bool('n') }, { x: { sizes: [x.length], data: x }, mask: { sizes: [x.length], data: mask } }, (given) =>
    maskedSoftmax(given.mask, 'n')(given.x),
  )

test.each([
  ['nothing is kept', [1, NaN], [0, 0], [0, 0]],
  ['nothing but −∞ is kept', [-Infinity, 3], [1, 0], [0, 0]],
  ['one is kept', [NaN, 3], [0, 1], [0, 1]],
  ['−∞ is kept beside a number', [-Infinity, 3], [1, 1], [0, 1]],
  ['∞ is kept', [Infinity, 3], [1, 1], [NaN, NaN]],
  ['there is nothing', [], [], []],
])('where %s', (_, x, mask, expected) => expect(rowOf(x, mask)).toEqual(expected))

test('has the gradient that differences have', () =>
  expectRightGradient(
    defineLoss({
      name: 'masked softmax',
      inputs: { x: f32('row', 'n'), mask: bool('n'), weights: f32('row', 'n') },
      loss: ({ x, mask, weights }): Tensor<never> => pipe(mul(pipe(x, maskedSoftmax(mask, 'n')), weights), sum('row', 'n')),
    }),
  ))
