import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
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
  type Tensor,
  u32,
  where,
  withinLength,
} from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { in64, type OfRow } from './of-row.js'
import { expectRightGradient } from './right-gradient.js'

interface Masked {
  readonly x: readonly number[]
  readonly mask: readonly number[]
}

const anyMasked: fc.Arbitrary<Masked> = fc
  .array(fc.tuple(fc.integer({ min: -8, max: 8 }), fc.constantFrom(0, 1)), { maxLength: 5 })
  .map((pairs) => ({ x: pairs.map(([x]) => x), mask: pairs.map(([, kept]) => kept) }))

const total = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

interface Reduction {
  readonly of: OfRow
  readonly plain: (kept: readonly number[]) => number
  readonly ofNothing: number
}

const reductions: Readonly<Record<string, Reduction>> = {
  maskedSum: { of: (x, mask) => pipe(x, maskedSum(mask, 'n')), plain: total, ofNothing: 0 },
  maskedMean: { of: (x, mask) => pipe(x, maskedMean(mask, 'n')), plain: (kept) => total(kept) / kept.length, ofNothing: 0 },
  maskedMax: { of: (x, mask) => pipe(x, maskedMax(mask, 'n')), plain: (kept) => Math.max(...kept), ofNothing: -Infinity },
  maskedMin: { of: (x, mask) => pipe(x, maskedMin(mask, 'n')), plain: (kept) => Math.min(...kept), ofNothing: Infinity },
}

describe.each(Object.entries(reductions))('%s', (name, { of, plain, ofNothing }) => {
  const reads = in64(of)

  law(
    `${name} is that of what the mask keeps`,
    fc.property(anyMasked, ({ x, mask }) => {
      const kept = x.filter((_, i) => mask[i] === 1)
      const { value } = reads(x, mask)
      const expected = kept.length === 0 ? ofNothing : plain(kept)
      return value === expected || Math.abs(value - expected) <= 1e-12
    }),
  )

  law(
    `${name} and its gradient do not change with what the mask hides`,
    fc.property(anyMasked, fc.constantFrom(NaN, Infinity, -Infinity, 1e300), ({ x, mask }, junk) => {
      const hiding = (hidden: number) => x.map((v, i) => (mask[i] === 1 ? v : hidden))
      expect(reads(hiding(junk), mask)).toEqual(reads(hiding(0), mask))
    }),
  )

  test.each([
    ['nothing is kept', { x: [1, NaN], mask: [0, 0] }, { value: ofNothing, slopes: [0, 0] }],
    ['there is nothing', { x: [], mask: [] }, { value: ofNothing, slopes: [] }],
    ['one is kept', { x: [7, 3], mask: [0, 1] }, { value: 3, slopes: [0, 1] }],
  ])('where %s', (_, { x, mask }, expected) => expect(reads(x, mask)).toEqual(expected))

  test('where a NaN is kept, it is NaN', () => expect(reads([NaN, 1], [1, 0]).value).toBeNaN())

  test('has the gradient that differences have', () =>
    expectRightGradient(
      defineLoss({
        name,
        inputs: { x: f32('n'), mask: bool('n') },
        // One is kept at least: of nothing, a maximum has no differences.
        loss: ({ x, mask }) => pipe(of(x, or(mask, equal(iota('n', sizeOf('n')), 0))), (y) => mul(y, y)),
      }),
    ))
})

describe('a mask of fewer axes than x', () => {
  const x = { sizes: [2, 3], data: [1, 2, 3, 4, 5, 6] }
  const ofRows = (
    body: (given: { readonly x: Tensor<'row' | 'n'>; readonly mask: Tensor<'row', 'bool'> }) => Tensor<never> | Tensor<'row'> | Tensor<'n'>,
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
