import fc from 'fast-check'
import { beforeAll, describe, expect, test } from 'vitest'
import { float64 } from '../../../backends/cpu/evaluate.js'
import type { Loaded } from '../../../backends/backend.js'
import {
  cos,
  erf,
  exp,
  expm1,
  f32,
  log,
  log1p,
  mod,
  pow,
  program,
  recip,
  rsqrt,
  sigmoid,
  sin,
  softplus,
  sqrt,
  tanh,
} from '../../../dsl/index.js'
import { load, must } from '../opened.js'
import { openedForAll } from './opened.js'
import { isSubnormal, ulpsApart } from './ulps.js'

const device = openedForAll()

const p = program({
  inputs: { x: f32('n') },
  body: ({ x }) => ({
    outputs: {
      exp: exp(x),
      expm1: expm1(x),
      log: log(x),
      log1p: log1p(x),
      sin: sin(x),
      cos: cos(x),
      tanh: tanh(x),
      erf: erf(x),
      sigmoid: sigmoid(x),
      softplus: softplus(x),
      sqrt: sqrt(x),
      rsqrt: rsqrt(x),
      recip: recip(x),
    },
  }),
})

type Name = keyof typeof p.outputs

const truth: { readonly [F in Name]: (x: number) => number } = {
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  sin: Math.sin,
  cos: Math.cos,
  tanh: Math.tanh,
  erf: float64.scalar('f32').erf,
  sigmoid: (x) => (x >= 0 ? 1 / (1 + Math.exp(-x)) : Math.exp(x) / (1 + Math.exp(x))),
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  sqrt: Math.sqrt,
  rsqrt: (x) => 1 / Math.sqrt(x),
  recip: (x) => 1 / x,
}

/** The greatest error in ulp, measured and rounded up. */
const atMost: { readonly [F in Name]: number } = {
  exp: 1.5,
  expm1: 2,
  log: 1,
  log1p: 2.5,
  sin: 3.5,
  cos: 3.5,
  tanh: 3,
  erf: 3,
  sigmoid: 3,
  softplus: 3,
  sqrt: 1,
  rsqrt: 2,
  recip: 1,
}

/** Those that give what is subnormal when they are given it. The others may take it for 0. */
const keepsSubnormals: ReadonlySet<Name> = new Set<Name>(['sin', 'log', 'expm1', 'log1p', 'tanh'])

const mirrored = (xs: readonly number[]): readonly number[] => xs.flatMap((x) => [x, -x])

const edges = [
  NaN,
  ...mirrored([
    0,
    2 ** -149,
    1e-40,
    2 ** -127,
    2 ** -126,
    2e-8,
    2 ** -24,
    2 ** -23,
    1e-7,
    2.4e-4,
    2.5e-4,
    0.3465,
    0.3466,
    0.5,
    0.7,
    0.7072,
  ]),
  ...mirrored([1 - 2 ** -24, 1, 1 + 2 ** -23, 1.4142, 9, 17, 18, 30, 87.3, 88, 88.72283, 88.72284, 88.8, 89, 103.9, 104, 150, 1e9, 1e30]),
  ...mirrored([3.4028234663852886e38, Infinity]),
]

const count = 20_000
const spaced = (f: (t: number) => number): readonly number[] => Array.from({ length: count }, (_, i) => f((i + 0.5) / count))

/** Quotients of whole numbers spread without a pattern, so that mantissas are of every kind. */
const scattered = (f: (t: number) => number): readonly number[] => spaced((t) => f((t * 7919.31) % 1))

/** Whole multiples of a quarter turn as near as float32 has them, where the reduction cancels most. */
const quarterTurns = Array.from({ length: 4000 }, (_, i) => ((i + 1) * Math.PI) / 2)

const sweeps: Readonly<Record<string, readonly number[]>> = {
  edges,
  'every exponent': scattered((t) => 2 ** (-126 + 254 * t)).flatMap((x, i) => [i % 2 === 0 ? x : -x]),
  'around 0': scattered((t) => 2 * t - 1),
  'near 0': scattered((t) => 2 ** (-40 + 38 * t)).map((x, i) => (i % 2 === 0 ? x : -x)),
  'around 1': scattered((t) => 0.7 + 0.6 * t),
  'to ±20': scattered((t) => 40 * t - 20),
  'to ±10⁴': scattered((t) => 2e4 * t - 1e4),
  'to ±104': scattered((t) => 208 * t - 104),
  'at quarter turns': quarterTurns,
  subnormal: scattered((t) => (2 * t - 1) * 2 ** -126),
}

/** Infinite where a value at an edge is wrong. A subnormal result may be 0. */
const error = (name: Name, x: number, y: number): number => {
  const exact = truth[name](x)
  if (isSubnormal(x) && !keepsSubnormals.has(name)) return Math.min(ulpsApart(y, exact), ulpsApart(y, truth[name](x < 0 ? -0 : 0)))
  if (isSubnormal(Math.fround(exact)) && y === 0) return 0
  if (isSubnormal(Math.fround(exact)) || isSubnormal(y)) return Math.abs(exact - y) <= 2 ** -126 ? 0 : Infinity
  return ulpsApart(y, exact)
}

describe('the special functions are as near to the true value as is claimed', () => {
  let loaded: Loaded<typeof p.inputs, typeof p.state, typeof p.outputs>
  beforeAll(async () => {
    loaded = await load(device(), p)
  })

  for (const [sweep, points] of Object.entries(sweeps))
    test(sweep, async () => {
      const x = Float32Array.from(points)
      const made = await must(loaded.run({ x: { sizes: [x.length], data: x } }))
      const worst = (Object.keys(truth) as Name[]).map((name) => {
        const errors = Array.from(x, (at, i) => error(name, at, made[name].data[i]!))
        const greatest = errors.reduce((most, e) => Math.max(most, e), 0)
        const at = errors.indexOf(greatest)
        return {
          name,
          ok: greatest <= atMost[name],
          says: `${name}(${fc.stringify(x[at])}) = ${fc.stringify(made[name].data[at])}: ${greatest.toFixed(2)} ulp`,
        }
      })
      expect(worst.filter(({ ok }) => !ok).map(({ says }) => says)).toEqual([])
    })
})

const pairs = program({
  inputs: { x: f32('n'), y: f32('n') },
  body: ({ x, y }) => ({ outputs: { pow: pow(x, y), mod: mod(x, y) } }),
})

const few = (f: (t: number) => number, spread: number): readonly number[] =>
  Array.from({ length: 3000 }, (_, i) => f((((i + 0.5) / 3000) * spread) % 1))

const exact = float64.scalar('f32')

/** The greatest error of a result, and where; what is subnormal may be 0, among the operands as well. */
const worstOf = (op: 'pow' | 'mod', xs: Float32Array, ys: Float32Array, made: ArrayLike<number>) =>
  Array.from(xs, (x, i) => {
    const y = ys[i]!
    const truth = exact[op](x, y)
    const isTiny = isSubnormal(Math.fround(truth)) || isSubnormal(made[i]!)
    const away = isTiny ? (Math.abs(truth - made[i]!) <= 2 ** -126 ? 0 : Infinity) : ulpsApart(made[i]!, truth)
    return { away, says: `${op}(${String(x)}, ${String(y)}) = ${String(made[i])}: ${away.toFixed(2)} ulp` }
  }).reduce((worst, found) => (found.away > worst.away ? found : worst))

describe('the functions of two numbers are as near to the true value as is claimed', () => {
  let loaded: Loaded<typeof pairs.inputs, typeof pairs.state, typeof pairs.outputs>
  beforeAll(async () => {
    loaded = await load(device(), pairs)
  })

  const bases: Readonly<Record<string, (t: number) => number>> = {
    'about 1': (t) => 0.9 + 0.2 * t,
    'near 1': (t) => 1 + (t - 0.5) * 2 ** -12,
    'to 20': (t) => 20 * t,
    'of every exponent': (t) => 2 ** (-126 + 253 * t),
    'below 0': (t) => -20 * t,
  }
  const others: Readonly<Record<string, (t: number) => number>> = {
    'to ±3': (t) => 6 * t - 3,
    'to ±100': (t) => 200 * t - 100,
    'to ±10⁵': (t) => 2e5 * t - 1e5,
    whole: (t) => Math.floor(21 * t) - 10,
    'of every exponent': (t) => (t < 0.5 ? 2 ** (-126 + 500 * t) : -(2 ** (-126 + 500 * (t - 0.5)))),
  }
  const cases = Object.keys(bases).flatMap((base) => Object.keys(others).map((other) => [base, other] as const))

  test.each(cases)('x %s, y %s', async (base, other) => {
    const x = Float32Array.from(few(bases[base]!, 7919.31))
    const y = Float32Array.from(few(others[other]!, 104729.17))
    const made = await must(loaded.run({ x: { sizes: [x.length], data: x }, y: { sizes: [y.length], data: y } }))
    const [power, rest] = [worstOf('pow', x, y, made.pow.data), worstOf('mod', x, y, made.mod.data)]
    expect([power.away <= 2.5 ? '' : power.says, rest.away <= 0.51 ? '' : rest.says]).toEqual(['', ''])
  })
})
