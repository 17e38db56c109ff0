import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { valueAndGrad } from '../../autodiff/index.js'
import {
  bool,
  countTrue,
  defineLoss,
  equal,
  f32,
  flip,
  i32,
  iota,
  maskedMax,
  maskedMean,
  maskedMin,
  maskedSum,
  mul,
  or,
  sizeOf,
  sum,
  type Tensor,
  u32,
  where,
  withinLength,
} from '../../dsl/index.js'
import { elements, run } from '../autodiff/run.js'
import { law } from '../law.js'
import { expectRightGradient } from './right-gradient.js'

type Rows = Tensor<'row' | 'n'>
type Mask = Tensor<'row' | 'n', 'bool'>

interface Masked {
  readonly x: readonly number[]
  readonly mask: readonly number[]
}

/** What a reduction gives of one row, and its gradient by each element. */
const reduced =
  (reduction: (mask: Mask) => (x: Rows) => Tensor<'row'>) =>
  ({ x, mask }: Masked): readonly (readonly number[])[] => {
    const sizes = [1, x.length]
    return run(
      { x: f32('row', 'n'), mask: bool('row', 'n') },
      { x: { sizes, data: x }, mask: { sizes, data: mask } },
      ({ x: given, mask: kept }) => valueAndGrad((y: Rows) => pipe(y, reduction(kept), sum('row')))(given),
    ).map(({ data }) => Array.from(data))
  }

const anyMasked: fc.Arbitrary<Masked> = fc
  .array(fc.tuple(fc.integer({ min: -8, max: 8 }), fc.constantFrom(0, 1)), { maxLength: 5 })
  .map((pairs) => ({ x: pairs.map(([x]) => x), mask: pairs.map(([, kept]) => kept) }))

const hiding = ({ x, mask }: Masked, junk: number): Masked => ({ x: x.map((v, i) => (mask[i] === 1 ? v : junk)), mask })

const total = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

describe.each([
  ['maskedSum', (mask) => maskedSum(mask, 'n'), total, 0],
  ['maskedMean', (mask) => maskedMean(mask, 'n'), (kept) => total(kept) / kept.length, 0],
  ['maskedMax', (mask) => maskedMax(mask, 'n'), (kept) => Math.max(...kept), -Infinity],
  ['maskedMin', (mask) => maskedMin(mask, 'n'), (kept) => Math.min(...kept), Infinity],
] as readonly (readonly [string, (mask: Mask) => (x: Rows) => Tensor<'row'>, (kept: readonly number[]) => number, number])[])(
  '%s',
  (name, reduction, plain, ofNothing) => {
    law(
      `${name} is that of what the mask keeps`,
      fc.property(anyMasked, (given) => {
        const kept = given.x.filter((_, i) => given.mask[i] === 1)
        const [value] = reduced(reduction)(given)
        const expected = kept.length === 0 ? ofNothing : plain(kept)
        return value![0] === expected || Math.abs(value![0]! - expected) <= 1e-12
      }),
    )

    law(
      `${name} and its gradient do not change with what the mask hides`,
      fc.property(anyMasked, fc.constantFrom(NaN, Infinity, -Infinity, 1e300), (given, junk) => {
        expect(reduced(reduction)(hiding(given, junk))).toEqual(reduced(reduction)(hiding(given, 0)))
      }),
    )

    test.each([
      ['nothing is kept', { x: [1, NaN], mask: [0, 0] }, [[ofNothing], [0, 0]]],
      ['there is nothing', { x: [], mask: [] }, [[ofNothing], []]],
      ['one is kept', { x: [7, 3], mask: [0, 1] }, [[3], [0, 1]]],
    ])('where %s', (_, given, expected) => expect(reduced(reduction)(given)).toEqual(expected))

    test('where a NaN is kept, it is NaN', () => expect(reduced(reduction)({ x: [NaN, 1], mask: [1, 0] })[0]).toEqual([NaN]))

    test('has the gradient that differences have', () =>
      expectRightGradient(
        defineLoss({
          name,
          inputs: { x: f32('row', 'n'), mask: bool('row', 'n'), weights: f32('row') },
          loss: ({ x, mask, weights }) => {
            // One is kept at least: of nothing, a maximum has no differences.
            const kept = or(mask, equal(iota('n', sizeOf('n')), 0))
            return pipe(mul(reduction(kept)(x), weights), sum('row'))
          },
        }),
      ))
  },
)

describe('a mask of fewer axes than x', () => {
  const x = { sizes: [2, 3], data: [1, 2, 3, 4, 5, 6] }
  const ofRows = (
    body: (given: { readonly x: Rows; readonly mask: Tensor<'row', 'bool'> }) => Tensor<never> | Tensor<'row'> | Tensor<'n'>,
  ) => elements({ x: f32('row', 'n'), mask: bool('row') }, { x, mask: { sizes: [2], data: [0, 1] } }, body)

  test('keeps or leaves out whole rows', () => {
    expect(ofRows((given) => pipe(given.x, maskedMean(given.mask, 'row')))).toEqual([4, 5, 6])
    expect(ofRows((given) => pipe(given.x, maskedMean(given.mask, 'n')))).toEqual([0, 5])
    expect(ofRows((given) => pipe(given.x, maskedMean(given.mask, 'row', 'n')))).toEqual([5])
    expect(ofRows((given) => pipe(given.x, maskedMax(given.mask, 'n')))).toEqual([-Infinity, 6])
  })

  test('leaves 0 behind, of integers too', () => {
    expect(
      elements({ x: f32('row', 'n'), mask: bool('row') }, { x, mask: { sizes: [2], data: [0, 1] } }, (given) => where(given.mask)(given.x)),
    ).toEqual([0, 0, 0, 4, 5, 6])
    expect(
      elements({ x: i32('row', 'n'), mask: bool('row') }, { x, mask: { sizes: [2], data: [1, 0] } }, (given) =>
        pipe(given.x, maskedSum(given.mask, 'row', 'n')),
      ),
    ).toEqual([6])
  })
})

describe('withinLength', () => {
  const masksOf = (lengths: readonly number[], body: (mask: Tensor<'row' | 'n', 'bool'>) => Tensor<'row' | 'n', 'bool'> = (mask) => mask) =>
    elements({ lengths: i32('row') }, { lengths: { sizes: [lengths.length], data: lengths } }, (given) =>
      body(pipe(given.lengths, withinLength('n', { size: 3 }))),
    )

  law(
    'a mask of lengths has as many true elements as the length, the first ones',
    fc.property(fc.array(fc.integer({ min: -2, max: 5 }), { maxLength: 4 }), (lengths) => {
      expect(masksOf(lengths)).toEqual(lengths.flatMap((length) => [0, 1, 2].map((i) => (i < length ? 1 : 0))))
    }),
  )

  test('flipped is the mask of rows that are padded before', () => expect(masksOf([2, 0], flip('n'))).toEqual([0, 1, 1, 0, 0, 0]))

  test('takes lengths of either type, and counts back to them', () =>
    expect(
      elements({ lengths: u32('row') }, { lengths: { sizes: [3], data: [0, 2, 4294967295] } }, (given) =>
        pipe(given.lengths, withinLength('n', { size: sizeOf('row') }), countTrue('n')),
      ),
    ).toEqual([0, 2, 3]))
})
