import { type Expr, f32, f32x4, f64, f64x2, i32, i32x4, i64, i64x2, type Operand, v128 } from '../asm.js'

/** What a formula computes in. */
export type FloatType = 'f32' | 'f64'
export type Float<T extends FloatType> = Expr<T>
/** The bits of a float. */
export type Bits<T extends FloatType> = Expr<WordOf<T>>
type WordOf<T extends FloatType> = { f32: 'i32'; f64: 'i64' }[T]
/** What a comparison leaves. */
export type Mask = Expr<'i32'>

type F<T extends FloatType> = Operand<T>
type I<T extends FloatType> = Operand<WordOf<T>>

/**
 * What a formula may be written in: the instructions on a float and its bits that a vector of them has as well. Both readings of a
 * formula do the same to a number, so its value does not depend on where in memory it lies.
 */
export interface Algebra<T extends FloatType> {
  /** The sum of it and of a whole number below a quarter of it has that number as its last bits. */
  readonly whole: number
  readonly add: (x: F<T>, y: F<T>) => Float<T>
  readonly sub: (x: F<T>, y: F<T>) => Float<T>
  readonly mul: (x: F<T>, y: F<T>) => Float<T>
  readonly div: (x: F<T>, y: F<T>) => Float<T>
  readonly sqrt: (x: F<T>) => Float<T>
  readonly abs: (x: F<T>) => Float<T>
  readonly neg: (x: F<T>) => Float<T>
  readonly nearest: (x: F<T>) => Float<T>
  readonly trunc: (x: F<T>) => Float<T>
  /** The size of x with the sign of y. */
  readonly copysign: (x: F<T>, y: F<T>) => Float<T>
  /** The smaller and the larger; NaN where x is. */
  readonly atMost: (x: Float<T>, bound: number) => Float<T>
  readonly atLeast: (x: Float<T>, bound: number) => Float<T>
  readonly lt: (x: F<T>, y: F<T>) => Mask
  readonly gt: (x: F<T>, y: F<T>) => Mask
  readonly eq: (x: F<T>, y: F<T>) => Mask
  readonly and: (p: Mask, q: Mask) => Mask
  readonly or: (p: Mask, q: Mask) => Mask
  readonly not: (p: Mask) => Mask
  readonly select: (p: Mask, x: F<T>, y: F<T>) => Float<T>
  readonly bitsOf: (x: Float<T>) => Bits<T>
  readonly floatOf: (bits: Bits<T>) => Float<T>
  readonly addBits: (x: I<T>, y: I<T>) => Bits<T>
  readonly subBits: (x: I<T>, y: I<T>) => Bits<T>
  readonly andBits: (x: I<T>, y: I<T>) => Bits<T>
  readonly orBits: (x: I<T>, y: I<T>) => Bits<T>
  readonly shl: (x: Bits<T>, by: number) => Bits<T>
  readonly shr: (x: Bits<T>, by: number) => Bits<T>
  /** Filled with the sign. */
  readonly sar: (x: Bits<T>, by: number) => Bits<T>
  readonly isZero: (x: Bits<T>) => Mask
}

const wholes = { f32: 1.5 * 2 ** 23, f64: 1.5 * 2 ** 52 } as const

const masks = { and: i32.and, or: i32.or, not: i32.eqz }

/** Of one number. */
export const one: { readonly [T in FloatType]: Algebra<T> } = {
  f32: {
    ...f32,
    ...masks,
    whole: wholes.f32,
    atMost: f32.min,
    atLeast: f32.max,
    bitsOf: i32.reinterpret_f32,
    floatOf: f32.reinterpret_i32,
    addBits: i32.add,
    subBits: i32.sub,
    andBits: i32.and,
    orBits: i32.or,
    shl: i32.shl,
    shr: i32.shr_u,
    sar: i32.shr_s,
    isZero: i32.eqz,
  },
  f64: {
    ...f64,
    ...masks,
    whole: wholes.f64,
    atMost: f64.min,
    atLeast: f64.max,
    bitsOf: i64.reinterpret_f64,
    floatOf: f64.reinterpret_i64,
    addBits: i64.add,
    subBits: i64.sub,
    andBits: i64.and,
    orBits: i64.or,
    shl: (x, by) => i64.shl(x, BigInt(by)),
    shr: (x, by) => i64.shr_u(x, BigInt(by)),
    sar: (x, by) => i64.shr_s(x, BigInt(by)),
    isZero: i64.eqz,
  },
}

type V = Expr<'v128'>

const same = (x: V): V => x

type Lanes = typeof f32x4 | typeof f64x2
type BitLanes<W> = {
  readonly [O in 'add' | 'sub' | 'eq']: (x: V | W, y: V | W) => V
} & { readonly [O in 'shl' | 'shr_u' | 'shr_s']: (x: V, by: number) => V } & { readonly const: (value: W) => V }

/** Of all lanes of a vector. Its values and masks are all of one type; formulas keep them apart as they are of one number. */
const ofLanes = <T extends FloatType, W extends number | bigint>(
  type: T,
  floats: Lanes,
  bits: BitLanes<W>,
  { sign, zero }: { readonly sign: W; readonly zero: W },
): Algebra<T> => {
  const float = (x: V | number): V => (typeof x === 'number' ? floats.const(x) : x)
  const word = (x: V | W): V => (typeof x === 'object' ? x : bits.const(x))
  const algebra = {
    ...floats,
    whole: wholes[type],
    copysign: (x: V | number, y: V | number) => v128.bitselect(float(y), float(x), bits.const(sign)),
    atMost: (x: V, bound: number) => floats.pmin(x, bound),
    atLeast: (x: V, bound: number) => floats.pmax(x, bound),
    and: v128.and,
    or: v128.or,
    not: v128.not,
    select: (p: V, x: V | number, y: V | number) => v128.bitselect(float(x), float(y), p),
    bitsOf: same,
    floatOf: same,
    addBits: bits.add,
    subBits: bits.sub,
    andBits: (x: V | W, y: V | W) => v128.and(word(x), word(y)),
    orBits: (x: V | W, y: V | W) => v128.or(word(x), word(y)),
    shl: bits.shl,
    shr: bits.shr_u,
    sar: bits.shr_s,
    isZero: (x: V) => bits.eq(x, zero),
  }
  return algebra as unknown as Algebra<T>
}

/** Of the lanes of a vector: four, or two. */
export const lanes: { readonly [T in FloatType]: Algebra<T> } = {
  f32: ofLanes('f32', f32x4, i32x4, { sign: -(2 ** 31), zero: 0 }),
  f64: ofLanes('f64', f64x2, i64x2, { sign: 1n << 63n, zero: 0n }),
}
