import { call, f32, f64, fn, i64, set, type Expr, type Local } from '../asm.js'
import type { Instr } from '../encode/module.js'
import { inverseFactorial, polynomial } from './polynomial.js'

// Inside, everything is float64 with relative errors near 1e-13, so that the one rounding to float32 at the end is all one sees.

/** (eʳ − 1)/r = Σ rⁿ/(n+1)!, to 2e-14 for |r| ≤ ½·ln 2. */
const expm1Series = Array.from({ length: 11 }, (_, n) => inverseFactorial(n + 1))
const expm1Core = (r: Local<'f64'>): Expr<'f64'> => f64.mul(polynomial(r, expm1Series), r)

/** x = k·ln 2 + r with |r| ≤ ½·ln 2. Beyond ±160 float32 has only 0 and ∞, and these come out of the final rounding. */
const split = (x: Local<'f64'>, k: Local<'f64'>, r: Local<'f64'>): readonly Instr[] => [
  set(x, f64.max(f64.min(x, 160), -160)),
  set(k, f64.nearest(f64.mul(x, Math.LOG2E))),
  set(r, f64.sub(x, f64.mul(k, Math.LN2))),
]

/** 2ᵏ for a whole k, by its exponent bits. */
const power2 = (k: Local<'f64'>): Expr<'f64'> => f64.reinterpret_i64(i64.shl(i64.add(i64.trunc_sat_f64_s(k), 1023n), 52n))

const locals = { k: 'f64', r: 'f64' } as const

/** For |x| > 160 as for ±160. */
export const exp64 = fn('exp64', { x: 'f64' }, 'f64', locals, ({ x, k, r }) => [
  ...split(x, k, r),
  f64.mul(power2(k), f64.add(expm1Core(r), 1)),
])

/** eˣ − 1 = 2ᵏ·(eʳ − 1) + (2ᵏ − 1): nothing cancels. For |x| > 160 as for ±160. */
export const expm1_64 = fn('expm1_64', { x: 'f64' }, 'f64', locals, ({ x, k, r }) => [
  ...split(x, k, r),
  f64.add(f64.mul(power2(k), expm1Core(r)), f64.sub(power2(k), 1)),
])

export const exp = fn('exp', { x: 'f32' }, 'f32', {}, ({ x }) => [f32.demote_f64(call(exp64, { x: f64.promote_f32(x) }))])

/** The sign is copied for the sake of −0. */
export const expm1 = fn('expm1', { x: 'f32' }, 'f32', {}, ({ x }) => [
  f32.copysign(f32.demote_f64(call(expm1_64, { x: f64.promote_f32(x) })), x),
])

/** With t = e^{2|x|} − 1: tanh |x| = t/(t + 2). */
export const tanh = fn('tanh', { x: 'f32' }, 'f32', { t: 'f64' }, ({ x, t }) => [
  set(t, call(expm1_64, { x: f64.mul(f64.promote_f32(f32.abs(x)), 2) })),
  f32.copysign(f32.demote_f64(f64.div(t, f64.add(t, 2))), x),
])

/** 1/(1 + e⁻ˣ) */
export const sigmoid = fn('sigmoid', { x: 'f32' }, 'f32', {}, ({ x }) => [
  f32.demote_f64(f64.div(1, f64.add(call(exp64, { x: f64.promote_f32(f32.neg(x)) }), 1))),
])
