import { call, f32, f32x4, f64, fn, i64, set, v128, type Expr } from '../asm.js'
import type { WasmFunction } from '../encode/module.js'
import { type Float, one } from './algebra.js'
import { applied, type Formula, fourOf, inFloat64, type MathFunction } from './formula.js'
import { eachLane } from './lane-by-lane.js'
import { polynomial } from './polynomial.js'
import { quarterTurns } from './quarter-turns.js'

/** sin r = r·P(r²), to 5e-12, and cos r = P(r²), to 6e-14, for |r| ≤ π/4: Chebyshev approximations. */
const sinSeries = [0.9999999999956688, -0.16666666631563162, 0.008333328779736226, -0.00019839201388559692, 2.717338055746829e-6]
const cosSeries = [
  0.9999999999999444, -0.4999999999935047, 0.041666666543813194, -0.001388888038869402, 2.4798927696218343e-5, -2.7173353546655085e-7,
]

/** π/2 in three parts (Cody and Waite). The first two have 33 bits, so that their products with k < 2²⁰ are exact. */
const parts = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21]

/** Up to here the whole part of x·2/π is a float64 whose products with the parts are exact. */
const far = 1e5

/** A sine, so many quarter turns on. */
interface Wave {
  readonly q: bigint
  readonly odd: boolean
}

/** sin(|x| + q·π/2) for |x| < 1e5, with |x| = k·π/2 + r and |r| ≤ π/4; an odd one has the sign of x. x − x is 0, but NaN for NaN. */
const nearFormula =
  ({ q, odd }: Wave): Formula<'f64'> =>
  (w, x) => {
    const d = w.float(w.abs(x))
    const k = w.float(w.nearest(w.mul(d, 2 / Math.PI)))
    const r = w.float(parts.reduce<Float<'f64'>>((rest, part) => w.sub(rest, w.mul(k, part)), d))
    const r2 = w.float(w.mul(r, r))
    const turns = w.word(w.addBits(w.bitsOf(w.add(k, w.whole)), q))
    const size = w.choose(
      w.isZero(w.andBits(turns, 1n)),
      () => w.mul(r, polynomial(w, r2, sinSeries)),
      () => polynomial(w, r2, cosSeries),
    )
    const signed = w.float(odd ? w.mul(size, w.copysign(1, x)) : size)
    return w.select(w.isZero(w.andBits(turns, 2n)), signed, w.neg(signed))
  }

/** sin(x + q·π/2) for x ≥ 1e5: the whole part and r come from fixed point, with 62 bits behind the point. */
const farSine = fn(
  'farSine',
  { x: 'f32', q: 'i64' },
  'f32',
  { d: 'f64', r: 'f64', r2: 'f64', turns: 'i64' },
  ({ x, q, d, r, r2, turns }) => [
    set(d, f64.promote_f32(x)),
    set(turns, call(quarterTurns, { x })),
    set(q, i64.add(q, i64.shr_s(i64.add(turns, 1n << 61n), 62n))),
    set(r, f64.mul(f64.convert_i64_s(i64.shr_s(i64.shl(turns, 2n), 2n)), Math.PI * 2 ** -63)),
    set(r, f64.add(r, f64.sub(d, d))),
    set(r2, f64.mul(r, r)),
    set(r, f64.if(i64.eqz(i64.and(q, 1n)), [f64.mul(r, polynomial(one.f64, r2, sinSeries))], [polynomial(one.f64, r2, cosSeries)])),
    f32.demote_f64(f64.select(i64.eqz(i64.and(q, 2n)), r, f64.neg(r))),
  ],
)

export interface Waves extends MathFunction {
  readonly helpers: readonly WasmFunction[]
}

/** Four lanes of which one is far are computed one after the other. */
const wave = (name: string, kind: Wave): Waves => {
  const near = inFloat64(`${name}Near`, 1, nearFormula(kind))
  const sign = (x: Expr<'f32'>): Expr<'f32'> => (kind.odd ? f32.copysign(1, x) : f32.const(1))
  const all = fn(name, { x: 'f32' }, 'f32', { a: 'f32' }, ({ x, a }) => [
    set(a, f32.abs(x)),
    f32.if(f32.ge(a, far), [f32.mul(call(farSine, { x: a, q: kind.q }), sign(x))], [applied(near.one, x)]),
  ])
  const four = fn(fourOf(name), { x: 'v128' }, 'v128', {}, ({ x }) => [
    v128.if(v128.any_true(f32x4.ge(f32x4.abs(x), far)), [eachLane(all, [x])], [applied(near.four, x)]),
  ])
  return { one: all, four, helpers: [near.one, near.four] }
}

export const sin = wave('sin', { q: 0n, odd: true })
export const cos = wave('cos', { q: 1n, odd: false })

export const trigHelpers: readonly WasmFunction[] = [farSine, ...sin.helpers, ...cos.helpers]
