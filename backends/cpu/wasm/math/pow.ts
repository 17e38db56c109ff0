import { call, f32, f64, fn, i32, set, type Expr, type Local } from '../asm.js'
import { exp64 } from './exp.js'
import { log64 } from './log.js'

const isWhole = (y: Expr<'f64'>): Expr<'i32'> => f64.eq(f64.trunc(y), y)
/** ±∞ is whole and even. */
const isOdd = (y: Local<'f64'>): Expr<'i32'> => i32.and(isWhole(y), i32.eqz(isWhole(f64.mul(y, 0.5))))

const isNegativeFinite = (x: Local<'f32'>): Expr<'i32'> => i32.and(f32.lt(x, 0), f32.gt(x, -Infinity))

const isAlwaysOne = (x: Local<'f32'>, y: Local<'f32'>): Expr<'i32'> =>
  i32.or(i32.or(f32.eq(x, 1), f32.eq(y, 0)), i32.and(f32.eq(x, -1), f32.eq(f32.abs(y), Infinity)))

/**
 * C's pow, as PyTorch has it: pow(x, 0) = pow(1, y) = 1 even for NaN, and pow(−1, ±∞) = 1, where JavaScript's ** gives NaN.
 * |x|^y = e^(y·ln|x|), negative for x below zero (−0 included) and odd y, NaN for finite x < 0 and broken y.
 */
export const pow = fn('pow', { x: 'f32', y: 'f32' }, 'f32', { a: 'f64', b: 'f64', size: 'f64' }, ({ x, y, a, b, size }) => [
  set(a, f64.promote_f32(f32.abs(x))),
  set(b, f64.promote_f32(y)),
  set(size, call(exp64, { x: f64.mul(b, call(log64, { x: a })) })),
  set(size, f64.select(isOdd(b), f64.copysign(size, f64.promote_f32(x)), size)),
  set(size, f64.select(i32.and(isNegativeFinite(x), i32.eqz(isWhole(b))), NaN, size)),
  f32.select(isAlwaysOne(x, y), 1, f32.demote_f64(size)),
])
