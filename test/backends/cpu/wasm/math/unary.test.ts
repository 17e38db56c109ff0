import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../../../law.js'
import { math, type Unary, unaryNames } from './called.js'
import { anyFloat, around, distance, fromBits, isNear, rounded, special } from './float32.js'

/** 2/√π·e^{−a²}·Σ 2ⁿ·a^{2n+1}/(2n+1)!!: every term is positive. Beyond 6 it is 1 in float64. */
const erf = (x: number): number => {
  const a = Math.min(Math.abs(x), 6)
  let [term, sum] = [a, a]
  for (let n = 1; term > sum * 1e-18; n++) {
    term *= (2 * a * a) / (2 * n + 1)
    sum += term
  }
  return Math.sign(x) * Math.min(1, (2 / Math.sqrt(Math.PI)) * Math.exp(-a * a) * sum)
}

const references: { readonly [N in Unary]: (x: number) => number } = {
  exp: Math.exp,
  expm1: Math.expm1,
  log: Math.log,
  log1p: Math.log1p,
  rsqrt: (x) => 1 / Math.sqrt(x),
  tanh: Math.tanh,
  sigmoid: (x) => 1 / (1 + Math.exp(-x)),
  softplus: (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  erf: (x) => (Number.isNaN(x) ? NaN : x === 0 ? x : erf(x)),
  sin: Math.sin,
  cos: Math.cos,
}

/** Measured, in C, at every 997th float32, where it is not `rounded`. */
const bounds: { readonly [N in Unary]: number } = {
  exp: 0.86,
  expm1: 1.2,
  log: 0.8,
  log1p: 0.8,
  tanh: 1.3,
  sigmoid: 1.65,
  softplus: 1.6,
  rsqrt: rounded,
  erf: rounded,
  sin: rounded,
  cos: rounded,
}

/** Every exponent and sign, with different digits: 2³² and the step have no common divisor. EVERY=1 tries every float32, in hours. */
const step = Number(process.env['EVERY'] ?? 20011)

function* sweeping(): Generator<number> {
  for (let bits = 0; bits < 2 ** 32; bits += step) yield fromBits(bits)
}

/** Where it is farthest from the reference: the number, what it gives, the reference's, and the distance in ULP. */
const farthest = (name: Unary, inputs: Iterable<number>) => {
  const [of, exactly] = [math[name], references[name]]
  let worst = { x: NaN, got: NaN, exact: NaN, ulps: 0 }
  for (const x of inputs) {
    const [got, exact] = [of(x), exactly(x)]
    const ulps = distance(got, exact)
    if (ulps > worst.ulps) worst = { x, got, exact, ulps }
  }
  return worst
}

describe.each(unaryNames)('%s', (name) => {
  test('is near its value over all exponents', { timeout: 0 }, () => {
    const worst = farthest(name, sweeping())
    expect(worst.ulps, JSON.stringify(worst)).toBeLessThanOrEqual(bounds[name])
  })

  test('is near its value at special values and where its method changes', () => {
    const seams = [
      0.34657359,
      1.0397208,
      Math.SQRT1_2,
      Math.SQRT2,
      1,
      4,
      88.72284,
      -87.33655,
      -103.97208,
      Math.PI / 4,
      Math.PI / 2,
      Math.PI,
      1e5,
    ]
    const worst = farthest(name, [...special, ...seams.flatMap((x) => [...around(x), ...around(-x)])])
    expect(worst.ulps, JSON.stringify(worst)).toBeLessThanOrEqual(bounds[name])
  })

  law(
    `${name} of any float32 is near its value`,
    fc.property(anyFloat, (x) => isNear(math[name](x), references[name](x), bounds[name])),
    { runs: 1000 },
  )
})
