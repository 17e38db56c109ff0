import { br, f32, f64, fn, i32, i64, loop, set, when, type Expr, type Local } from '../asm.js'
import type { MathFunction } from './formula.js'
import { laneByLane } from './lane-by-lane.js'

const exponent = (x: Local<'f64'>): Expr<'i64'> => i64.shr_u(i64.reinterpret_f64(x), 52n)

/**
 * x − ⌊x/y⌋·y, exact but for the last sum. |x| loses multiples of |y|·2ᵏ until it is below |y|: with quotients below 2²⁸ of numbers
 * of 24 bits, neither the quotient's whole part nor the product is rounded.
 */
const one = fn('mod', { x: 'f32', y: 'f32' }, 'f32', { r: 'f64', b: 'f64', s: 'f64', k: 'i64' }, ({ x, y, r, b, s, k }) => [
  set(r, f64.promote_f32(f32.abs(x))),
  set(b, f64.promote_f32(f32.abs(y))),
  loop('reduce', [
    when(i32.and(i32.and(f64.ge(r, b), f64.gt(b, 0)), f64.lt(r, Infinity)), [
      set(k, i64.sub(i64.sub(exponent(r), exponent(b)), 27n)),
      set(k, i64.select(i64.gt_s(k, 0n), k, 0n)),
      set(s, f64.reinterpret_i64(i64.add(i64.reinterpret_f64(b), i64.shl(k, 52n)))),
      set(r, f64.sub(r, f64.mul(f64.trunc(f64.div(r, s)), s))),
      br('reduce'),
    ]),
  ]),
  set(s, f64.copysign(r, f64.promote_f32(x))),
  set(s, f64.select(i32.and(f64.ne(r, 0), f32.lt(f32.mul(f32.copysign(1, x), y), 0)), f64.add(s, f64.promote_f32(y)), s)),
  f32.demote_f64(f64.select(i32.and(f64.gt(b, 0), f64.lt(r, Infinity)), s, NaN)),
])

export const mod: MathFunction = { one, four: laneByLane(one) }
