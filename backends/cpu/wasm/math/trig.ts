import { call, f32, f64, fn, i32, i64, set, when, type Expr, type Local } from '../asm.js'
import { inverseFactorial, polynomial } from './polynomial.js'
import { quarterTurns } from './quarter-turns.js'

/** sin r = r·P(r²) and cos r = P(r²), to 4e-14 for |r| ≤ π/4: the Taylor series. */
const sinSeries = [1, 3, 5, 7, 9, 11, 13].map((n, i) => (-1) ** i * inverseFactorial(n))
const cosSeries = [0, 2, 4, 6, 8, 10, 12, 14].map((n, i) => (-1) ** i * inverseFactorial(n))

/** π/2 in three parts (Cody and Waite). The first two have 33 bits, so that their products with k < 2²⁰ are exact. */
const [high, middle, low] = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487959506e-21] as const

const minus = (x: Expr<'f64'>, k: Local<'f64'>, part: number): Expr<'f64'> => f64.sub(x, f64.mul(k, part))

/**
 * sin(x + q·π/2) for x ≥ 0, with x = k·π/2 + r and |r| ≤ π/4. x − x is 0, but NaN for ∞ and NaN.
 * Up to 1e5 k is a float64; beyond, it and r come from fixed point, with 62 bits behind the point.
 */
export const sinQuarters = fn(
  'sinQuarters',
  { x: 'f32', q: 'i32' },
  'f64',
  { d: 'f64', k: 'f64', r: 'f64', r2: 'f64', turns: 'i64' },
  ({ x, q, d, k, r, r2, turns }) => [
    set(d, f64.promote_f32(x)),
    when(
      f32.lt(x, 1e5),
      [
        set(k, f64.nearest(f64.mul(d, 2 / Math.PI))),
        set(r, minus(minus(minus(d, k, high), k, middle), k, low)),
        set(q, i32.add(q, i32.trunc_sat_f64_s(k))),
      ],
      [
        set(turns, call(quarterTurns, { x })),
        set(q, i32.add(q, i32.wrap_i64(i64.shr_s(i64.add(turns, 1n << 61n), 62n)))),
        set(r, f64.mul(f64.convert_i64_s(i64.shr_s(i64.shl(turns, 2n), 2n)), Math.PI * 2 ** -63)),
        set(r, f64.add(r, f64.sub(d, d))),
      ],
    ),
    set(r2, f64.mul(r, r)),
    set(r, f64.if(i32.and(q, 1), [polynomial(r2, cosSeries)], [f64.mul(r, polynomial(r2, sinSeries))])),
    f64.select(i32.and(q, 2), f64.neg(r), r),
  ],
)

/** Odd: the sign is that of x, also at −0. */
export const sin = fn('sin', { x: 'f32' }, 'f32', {}, ({ x }) => [
  f32.mul(f32.demote_f64(call(sinQuarters, { x: f32.abs(x), q: 0 })), f32.copysign(1, x)),
])

export const cos = fn('cos', { x: 'f32' }, 'f32', {}, ({ x }) => [f32.demote_f64(call(sinQuarters, { x: f32.abs(x), q: 1 }))])
