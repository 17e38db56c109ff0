import { type Expr, f64, f64x2, i32, i64, i64x2, type Operand, v128 } from '../asm.js'

type F = Operand<'f64'>
type I = Operand<'i64'>
type Float = Expr<'f64'>
type Bits = Expr<'i64'>
/** What a comparison leaves. */
export type Mask = Expr<'i32'>

/**
 * What a formula may be written in: the instructions on a float64 and its bits that a vector of two has as well. Both readings of a
 * formula do the same to a number, so its value does not depend on where in memory it lies.
 */
export interface Algebra {
  readonly add: (x: F, y: F) => Float
  readonly sub: (x: F, y: F) => Float
  readonly mul: (x: F, y: F) => Float
  readonly div: (x: F, y: F) => Float
  readonly sqrt: (x: F) => Float
  readonly abs: (x: F) => Float
  readonly neg: (x: F) => Float
  readonly nearest: (x: F) => Float
  readonly trunc: (x: F) => Float
  /** The size of x with the sign of y. */
  readonly copysign: (x: F, y: F) => Float
  /** The smaller and the larger; NaN where x is. */
  readonly atMost: (x: Float, bound: number) => Float
  readonly atLeast: (x: Float, bound: number) => Float
  readonly lt: (x: F, y: F) => Mask
  readonly gt: (x: F, y: F) => Mask
  readonly eq: (x: F, y: F) => Mask
  readonly and: (p: Mask, q: Mask) => Mask
  readonly or: (p: Mask, q: Mask) => Mask
  readonly not: (p: Mask) => Mask
  readonly select: (p: Mask, x: F, y: F) => Float
  readonly bitsOf: (x: Float) => Bits
  readonly floatOf: (bits: Bits) => Float
  readonly addBits: (x: I, y: I) => Bits
  readonly subBits: (x: I, y: I) => Bits
  readonly andBits: (x: I, y: I) => Bits
  readonly orBits: (x: I, y: I) => Bits
  readonly shl: (x: Bits, by: number) => Bits
  readonly shr: (x: Bits, by: number) => Bits
  readonly isZero: (x: Bits) => Mask
}

/** Of one number. */
export const one: Algebra = {
  ...f64,
  atMost: f64.min,
  atLeast: f64.max,
  and: i32.and,
  or: i32.or,
  not: i32.eqz,
  bitsOf: i64.reinterpret_f64,
  floatOf: f64.reinterpret_i64,
  addBits: i64.add,
  subBits: i64.sub,
  andBits: i64.and,
  orBits: i64.or,
  shl: (x, by) => i64.shl(x, BigInt(by)),
  shr: (x, by) => i64.shr_u(x, BigInt(by)),
  isZero: i64.eqz,
}

type V = Expr<'v128'>

const float = (x: V | number): V => (typeof x === 'number' ? f64x2.const(x) : x)
const bits = (x: V | bigint): V => (typeof x === 'bigint' ? i64x2.const(x) : x)
const sign = i64x2.const(1n << 63n)
const same = (x: V): V => x

/** Of the two lanes of a vector. Its values and masks are all of one type; formulas keep them apart as they are of one number. */
export const two = {
  ...f64x2,
  copysign: (x: V | number, y: V | number) => v128.bitselect(float(y), float(x), sign),
  atMost: (x: V, bound: number) => f64x2.pmin(x, bound),
  atLeast: (x: V, bound: number) => f64x2.pmax(x, bound),
  and: v128.and,
  or: v128.or,
  not: v128.not,
  select: (p: V, x: V | number, y: V | number) => v128.bitselect(float(x), float(y), p),
  bitsOf: same,
  floatOf: same,
  addBits: i64x2.add,
  subBits: i64x2.sub,
  andBits: (x: V | bigint, y: V | bigint) => v128.and(bits(x), bits(y)),
  orBits: (x: V | bigint, y: V | bigint) => v128.or(bits(x), bits(y)),
  shl: (x: V, by: number) => i64x2.shl(x, by),
  shr: (x: V, by: number) => i64x2.shr_u(x, by),
  isZero: (x: V) => i64x2.eq(x, 0n),
} as unknown as Algebra
