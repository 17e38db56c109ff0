import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { interpret, plan } from '../../compiler/index.js'
import { attention, bool, causalAttention, defineLoss, f32, graphErrors, mul, program, rename, slice, sum } from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { expectRightGradient } from './right-gradient.js'

type Vector = readonly number[]

const dot = (x: Vector, y: Vector): number => x.reduce((total, v, i) => total + v * y[i]!, 0)

interface Pair {
  readonly key: Vector
  readonly value: Vector
}

/** What one query makes of what it sees. */
const plain = (query: Vector, seen: readonly Pair[], scale: number): Vector => {
  const weights = seen.map(({ key }) => Math.exp(dot(query, key) * scale))
  const total = weights.reduce((a, b) => a + b, 0)
  return query.map((_, f) => seen.reduce((sum, { value }, s) => sum + (weights[s]! / total) * value[f]!, 0))
}

const features = 3

/** A sequence of which each place has a key, a value, whether it is no padding, and two queries of one head: grouped queries. */
interface Place extends Pair {
  readonly queries: readonly [Vector, Vector]
  readonly kept: number
}

const vectorOf = (x: number): Vector => Array<number>(features).fill(x)

const vector = fc.array(
  fc.integer({ min: -8, max: 8 }).map((n) => n / 4),
  { minLength: features, maxLength: features },
)

const anySequence = fc.array(fc.record({ key: vector, value: vector, queries: fc.tuple(vector, vector), kept: fc.constantFrom(0, 1) }), {
  minLength: 1,
  maxLength: 4,
})

const inputs = { query: f32('time', 'group', 'dim'), key: f32('time', 'dim'), value: f32('time', 'dim'), mask: bool('time') }

const given = (sequence: readonly Place[]) => {
  const n = sequence.length
  return {
    query: { sizes: [n, 2, features], data: sequence.flatMap(({ queries }) => queries.flat()) },
    key: { sizes: [n, features], data: sequence.flatMap(({ key }) => key) },
    value: { sizes: [n, features], data: sequence.flatMap(({ value }) => value) },
    mask: { sizes: [n], data: sequence.map(({ kept }) => kept) },
  }
}

const p = program({
  inputs,
  body: ({ mask, ...parts }) => {
    const masked = ({ query, key, value }: typeof parts) => causalAttention('time', 'dim')(query, key, value, mask)
    return {
      outputs: {
        all: causalAttention('time', 'dim', { scale: 0.5 })(parts.query, parts.key, parts.value),
        masked: masked(parts),
        slopes: grad((own: typeof parts) => pipe(mul(masked(own), masked(own)), sum('time', 'group', 'dim')))(parts),
      },
    }
  },
})

const in64 = (sequence: readonly Place[]) => right(evaluate(p, given(sequence))).outputs
const inKernels = interpret(right(plan(p)))
const in32 = (sequence: readonly Place[]) => right(inKernels(given(sequence))).outputs

law(
  'a query is the mean of the values up to its time, weighted by their keys, less those of padding',
  fc.property(anySequence, (sequence) => {
    const before = (t: number): readonly Place[] => sequence.slice(0, t + 1)
    const all = sequence.flatMap(({ queries }, t) => queries.flatMap((query) => plain(query, before(t), 0.5)))
    const masked = sequence.flatMap(
      ({ queries }, t) =>
      queries.flatMap((query) => plain(query, before(t).filter(({ kept }) => kept === 1), features ** -0.5)), // prettier-ignore
    )
    const close = (got: { readonly data: ArrayLike<number> }, from: Vector, tolerance: number): boolean =>
      from.every((v, i) => Math.abs(v - got.data[i]!) <= tolerance)
    const [wide, narrow] = [in64(sequence), in32(sequence)]
    return (
      close(wide.all, all, 1e-12) && close(wide.masked, masked, 1e-12) && close(narrow.all, all, 1e-5) && close(narrow.masked, masked, 1e-5)
    )
  }),
  { runs: 40 },
)

law(
  'what padding holds reaches neither value nor gradient',
  fc.property(anySequence, fc.constantFrom(NaN, Infinity, -Infinity, 1e300), (sequence, junk) => {
    const full = vectorOf(junk)
    const hidden = sequence.map((place) => (place.kept === 1 ? place : { ...place, key: full, value: full }))
    const zeroed = sequence.map((place) => (place.kept === 1 ? place : { ...place, key: vectorOf(0), value: vectorOf(0) }))
    const [dirty, clean] = [in64(hidden), in64(zeroed)]
    expect(dirty.masked).toEqual(clean.masked)
    expect(dirty.slopes).toEqual(clean.slopes)
  }),
)

test('a query that sees no key is 0, and so is its gradient', () => {
  const alone: Place = { key: [1, 2, 3], value: [4, 5, 6], queries: [vectorOf(1), vectorOf(-1)], kept: 0 }
  for (const outputs of [in64([alone, alone]), in32([alone, alone])]) {
    expect(Array.from(outputs.masked.data)).toEqual(Array(12).fill(0))
    for (const part of Object.values(outputs.slopes)) for (const slope of part.data) expect(Math.abs(slope)).toBe(0)
  }
})

test('has the gradient that differences have', () =>
  expectRightGradient(
    defineLoss({
      name: 'causal attention',
      inputs: { ...inputs, weights: f32('time', 'group', 'dim') },
      loss: ({ query, key, value, mask, weights }) =>
        pipe(mul(causalAttention('time', 'dim')(query, key, value, mask), weights), sum('time', 'group', 'dim')),
    }),
    { runs: 10, sizes: { time: [1, 2, 3], group: 1, dim: [1, 2] } },
  ))

const cached = program({
  inputs,
  body: ({ query, key, value, mask }) => {
    const last = pipe(query, slice('time', { from: -1 }), sum('time'))
    const along = rename({ time: 'key' })
    return {
      outputs: {
        whole: causalAttention('time', 'dim')(query, key, value, mask),
        last: attention('key', 'dim')(last, along(key), along(value), along(mask)),
      },
    }
  },
})

law(
  'one query over the keys of a cache is the last of the sequence',
  fc.property(anySequence, (sequence) => {
    const { whole, last } = right(evaluate(cached, given(sequence))).outputs
    expect(last.axes).toEqual(['group', 'dim'])
    return Array.from(last.data).every((v, i) => Math.abs(v - Array.from(whole.data).slice(-2 * features)[i]!) <= 1e-12)
  }),
)

test('queries and keys of two lengths are an error of the program', () =>
  expect(
    graphErrors(
      program({
        inputs: { query: f32({ time: 2, dim: 4 }), key: f32({ time: 3, dim: 4 }) },
        body: ({ query, key }) => ({ outputs: { y: causalAttention('time', 'dim')(query, key, key) } }),
      }),
    )[0],
  ).toMatchObject({ tag: 'sizesDiffer', axis: 'key time' }))
