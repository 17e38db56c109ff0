import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import {
  add,
  bool,
  defineLoss,
  f32,
  groupCount,
  type Grouping,
  groupMean,
  groupStd,
  groupSum,
  groupVariance,
  i32,
  mul,
  program,
  sum,
  type Tensor,
  u32,
} from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { expectRightGradient } from './right-gradient.js'

type Row = Tensor<'n'>
type Ids = Tensor<'n', 'i32'>
type Statistic = (ids: Ids, grouping?: Grouping<'n'>) => (x: Row) => Row

interface Grouped {
  readonly x: readonly number[]
  readonly ids: readonly number[]
  readonly mask: readonly number[]
}

const anyGrouped: fc.Arbitrary<Grouped> = fc.integer({ min: 1, max: 7 }).chain((n) => {
  const array = (element: fc.Arbitrary<number>) => fc.array(element, { minLength: n, maxLength: n })
  return fc.record({
    x: array(fc.integer({ min: -20, max: 20 }).map((k) => k / 4)),
    ids: array(fc.integer({ min: 0, max: Math.min(2, n - 1) })),
    mask: array(fc.constantFrom(0, 1)),
  })
})

const inputs = { x: f32('n'), ids: i32('n'), mask: bool('n') }

const given = ({ x, ids, mask }: Grouped) => {
  const sizes = [x.length]
  return { x: { sizes, data: x }, ids: { sizes, data: ids }, mask: { sizes, data: mask } }
}

/** A statistic of the group of each, and the gradient of the sum of its squares. */
const readerOf = (statistic: Statistic, masked: boolean) => {
  const p = program({
    inputs,
    body: ({ x, ids, mask }) => {
      const of = statistic(ids, masked ? { mask } : {})
      return { outputs: { values: of(x), slopes: grad((y: Row) => pipe(mul(of(y), of(y)), sum('n')))(x) } }
    },
  })
  return (grouped: Grouped) => {
    const { values, slopes } = right(evaluate(p, given(grouped))).outputs
    return { values: Array.from(values.data), slopes: Array.from(slopes.data) }
  }
}

const total = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

const varianceOf = (x: readonly number[], ddof: number): number =>
  total(x.map((v) => (v - total(x) / x.length) ** 2)) / Math.max(x.length - ddof, 1)

describe.each([
  ['groupSum', groupSum, total],
  ['groupCount', groupCount, (x) => x.length],
  ['groupMean', groupMean, (x) => total(x) / x.length],
  ['groupVariance', (ids, grouping) => groupVariance(ids, { ...grouping, ddof: 1 }), (x) => varianceOf(x, 1)],
  ['groupStd', (ids, grouping) => groupStd(ids, { ...grouping, ddof: 0 }), (x) => Math.sqrt(varianceOf(x, 0))],
] as readonly (readonly [string, Statistic, (members: readonly number[]) => number])[])('%s', (name, statistic, plain) => {
  const [whole, kept] = [readerOf(statistic, false), readerOf(statistic, true)]
  const membersOf = ({ x, ids, mask }: Grouped, i: number, masked: boolean): readonly number[] =>
    x.filter((_, j) => ids[j] === ids[i] && (!masked || mask[j] === 1))

  law(
    `${name} gives each element that of its group`,
    fc.property(anyGrouped, (grouped) => whole(grouped).values.every((v, i) => Math.abs(v - plain(membersOf(grouped, i, false))) <= 1e-12)),
  )

  law(
    `${name} with a mask is that of the members that count, 0 elsewhere, whatever is there`,
    fc.property(anyGrouped, fc.constantFrom(NaN, Infinity, 1e30), (grouped, junk) => {
      const reading = kept({ ...grouped, x: grouped.x.map((v, i) => (grouped.mask[i] === 1 ? v : junk)) })
      expect(reading).toEqual(kept(grouped))
      return reading.values.every((v, i) => Math.abs(v - (grouped.mask[i] === 1 ? plain(membersOf(grouped, i, true)) : 0)) <= 1e-12)
    }),
    { runs: 50 },
  )
})

test.each([
  ['groupMean', groupMean],
  ['groupVariance', (ids: Ids, grouping?: Grouping<'n'>) => groupVariance(ids, { ...grouping, ddof: 1 })],
] as readonly (readonly [string, Statistic])[])('%s has the gradient that differences have', (name, statistic) =>
  expectRightGradient(
    defineLoss({
      name,
      inputs: { ...inputs, weights: f32('n') },
      loss: ({ x, ids, mask, weights }) => pipe(mul(add(statistic(ids)(x), statistic(ids, { mask })(x)), weights), sum('n')),
    }),
  ),
)

describe('at the edges', () => {
  const alone: Grouped = { x: [5, 3, 3], ids: [0, 1, 1], mask: [0, 1, 1] }
  const stdOf: Statistic = (ids, grouping) => groupStd(ids, { ...grouping, ddof: 1 })

  test('a group of one and a group of equals have the deviation 0 and no slope', () =>
    expect(readerOf(stdOf, false)(alone)).toEqual({ values: [0, 0, 0], slopes: [0, 0, 0] }))

  test('a group of which nothing counts is 0', () => expect(readerOf(groupMean, true)(alone).values).toEqual([0, 3, 3]))

  test('no element has no group', () =>
    expect(readerOf(groupMean, false)({ x: [], ids: [], mask: [] })).toEqual({ values: [], slopes: [] }))

  test('ids of fewer axes make one group of all that lies beside them', () =>
    expect(
      elements(
        { x: f32('row', 'turn'), ids: u32('row') },
        { x: { sizes: [3, 2], data: [1, 2, 10, 20, 5, 6] }, ids: { sizes: [3], data: [1, 0, 1] } },
        ({ x, ids }) => pipe(x, groupMean(ids, { groups: 2 })),
      ),
    ).toEqual([3.5, 3.5, 15, 15, 3.5, 3.5]))
})
