import { call, f32, f64, fn, i32, i64, set } from '../asm.js'
import { exp64 } from './exp.js'
import { polynomial } from './polynomial.js'

const sqrtHalfBits = 0x3fe6a09e667f3bcdn

/** 2·artanh(s)/s in s², to 4e-14 for |s| ≤ 0.172. */
const artanhSeries = [2, 2 / 3, 2 / 5, 2 / 7, 2 / 9, 2 / 11, 2 / 13, 2 / 15]

/**
 * ln x, for x normal in float64 or zero, as every float32 is. x = 2ᵏ·m with m in [√½, √2), and ln m = 2·artanh(s)
 * with s = (m − 1)/(m + 1). Outside (0, ∞) the square root has the right answer, except at zero.
 */
export const log64 = fn('log64', { x: 'f64' }, 'f64', { k: 'i64', m: 'f64', s: 'f64', s2: 'f64' }, ({ x, k, m, s, s2 }) => [
  set(k, i64.shr_s(i64.sub(i64.reinterpret_f64(x), sqrtHalfBits), 52n)),
  set(m, f64.reinterpret_i64(i64.sub(i64.reinterpret_f64(x), i64.shl(k, 52n)))),
  set(s, f64.div(f64.sub(m, 1), f64.add(m, 1))),
  set(s2, f64.mul(s, s)),
  f64.select(
    i32.and(f64.gt(x, 0), f64.lt(x, Infinity)),
    f64.add(f64.mul(f64.convert_i64_s(k), Math.LN2), f64.mul(s, polynomial(s2, artanhSeries))),
    f64.select(f64.eq(x, 0), -Infinity, f64.sqrt(x)),
  ),
])

/** ln(1 + x) = ln u + (x − (u − 1)) with u = 1 + x as rounded; the second term is below 1e-16, and NaN for x = ∞, where it is left out. */
export const log1p_64 = fn('log1p_64', { x: 'f64' }, 'f64', { u: 'f64' }, ({ x, u }) => [
  set(u, f64.add(x, 1)),
  f64.add(call(log64, { x: u }), f64.select(f64.lt(x, 1), f64.sub(x, f64.sub(u, 1)), 0)),
])

export const log = fn('log', { x: 'f32' }, 'f32', {}, ({ x }) => [f32.demote_f64(call(log64, { x: f64.promote_f32(x) }))])

/** The sign is copied for the sake of −0. */
export const log1p = fn('log1p', { x: 'f32' }, 'f32', {}, ({ x }) => [
  f32.copysign(f32.demote_f64(call(log1p_64, { x: f64.promote_f32(x) })), x),
])

/** ln(1 + eˣ) = max(x, 0) + ln(1 + e^−|x|) */
export const softplus = fn('softplus', { x: 'f32' }, 'f32', { d: 'f64' }, ({ x, d }) => [
  set(d, f64.promote_f32(x)),
  f32.demote_f64(f64.add(f64.max(d, 0), call(log1p_64, { x: call(exp64, { x: f64.neg(f64.abs(d)) }) }))),
])
