import * as build from './build/index.js'
import type { DType, Id, Num } from './dtype.js'
import type { ScalarOp } from './scalar-ops.js'
import { type AnyTensor, axisNames, type Scalar, type Tensor } from './tensor.js'

/**
 * The elementwise algebra: data-first, meeting by the names of axes. One operand's axes contain the other's, and a number
 * stands for itself at every index. Of floats, NaN and ±∞ go as IEEE 754 says; integers wrap. What does not meet is an error of the
 * program, not of the call. The gradient of an operand that was repeated is summed over the axes that it lacks.
 */

/** The axes of a tensor type, as a union of names. */
export type AxesOf<X> = X extends Tensor<infer A, infer _D> ? A : never

/** The sentence that is tsc's message where two operands do not meet. */
export type Complaint<X extends AnyTensor, Y extends AnyTensor> = X['dtype'] extends Y['dtype']
  ? 'neither operand has all the axes of the other: sum or rename an axis, or write outer(x, y) if every pair is meant'
  : 'the operands have different types: cast one with toF32, toI32 or toU32'

type NumberComplaint<X extends AnyTensor, Y extends AnyTensor> = 'bool' extends X['dtype'] | Y['dtype']
  ? 'the operands must be numbers: select or toF32 makes them of a bool'
  : Complaint<X, Y>

type FloatComplaint<X extends AnyTensor, Y extends AnyTensor> = X['dtype'] | Y['dtype'] extends 'f32'
  ? Complaint<X, Y>
  : 'the operands must be f32: toF32 makes them'

type IntegerComplaint<X extends AnyTensor, Y extends AnyTensor> = X['dtype'] | Y['dtype'] extends Id
  ? Complaint<X, Y>
  : 'the operands must be integers: toI32 or toU32 makes them'

type LogicComplaint<X extends AnyTensor, Y extends AnyTensor> = X['dtype'] | Y['dtype'] extends 'bool'
  ? Complaint<X, Y>
  : 'the operands must be bools: a comparison or toBool makes them'

/** What no argument is, and tsc shows in its place. Y is still inferred, from the branch that is not taken. */
type Refused<Y, Sentence extends string> = [Y] extends [never] ? Y : Sentence

// Of four overloads or more, tsc tells of the last alone: the complaint.

export interface Binary {
  <A extends string, B extends A, D extends Num>(x: Tensor<A, D>, y: Tensor<B, D> | number): Tensor<A, D>
  <A extends string, B extends A, D extends Num>(x: Tensor<B, D> | number, y: Tensor<A, D>): Tensor<A, D>
  (x: number, y: number): Scalar
  <X extends AnyTensor, Y extends AnyTensor>(x: X, y: Refused<Y, NumberComplaint<X, Y>>): never
}

export interface BinaryFloat {
  <A extends string, B extends A>(x: Tensor<A>, y: Tensor<B> | number): Tensor<A>
  <A extends string, B extends A>(x: Tensor<B> | number, y: Tensor<A>): Tensor<A>
  (x: number, y: number): Scalar
  <X extends AnyTensor, Y extends AnyTensor>(x: X, y: Refused<Y, FloatComplaint<X, Y>>): never
}

export interface BinaryInteger {
  <A extends string, B extends A, D extends Id>(x: Tensor<A, D>, y: Tensor<B, D> | number): Tensor<A, D>
  <A extends string, B extends A, D extends Id>(x: Tensor<B, D> | number, y: Tensor<A, D>): Tensor<A, D>
  <X extends AnyTensor, Y extends AnyTensor>(x: X, y: Refused<Y, IntegerComplaint<X, Y>>): never
}

export interface Compare {
  <A extends string, B extends A, D extends Num>(x: Tensor<A, D>, y: Tensor<B, D> | number): Tensor<A, 'bool'>
  <A extends string, B extends A, D extends Num>(x: Tensor<B, D> | number, y: Tensor<A, D>): Tensor<A, 'bool'>
  (x: number, y: number): Scalar<'bool'>
  <X extends AnyTensor, Y extends AnyTensor>(x: X, y: Refused<Y, NumberComplaint<X, Y>>): never
}

export interface Logic {
  <A extends string>(x: Tensor<A, 'bool'>, y: Tensor<A, 'bool'>): Tensor<A, 'bool'>
  <A extends string, B extends A>(x: Tensor<A, 'bool'>, y: Tensor<B, 'bool'>): Tensor<A, 'bool'>
  <A extends string, B extends A>(x: Tensor<B, 'bool'>, y: Tensor<A, 'bool'>): Tensor<A, 'bool'>
  <X extends AnyTensor, Y extends AnyTensor>(x: X, y: Refused<Y, LogicComplaint<X, Y>>): never
}

type UnaryNumber = <A extends string, D extends Num>(x: Tensor<A, D>) => Tensor<A, D>
type UnaryFloat = <A extends string>(x: Tensor<A>) => Tensor<A>

const unary = (op: ScalarOp) => (x: AnyTensor) => build.map(op, x)
const ofNumbers = (op: ScalarOp): UnaryNumber => unary(op) as unknown as UnaryNumber
const ofFloats = (op: ScalarOp): UnaryFloat => unary(op) as unknown as UnaryFloat

/** x + y. Gradient: 1 into each. */
export const add = build.binary('add') as Binary
/** x − y. Gradient: 1 into x, −1 into y. */
export const sub = build.binary('sub') as Binary
/** x·y; 0·∞ and 0·NaN are NaN: a mask selects (`where`), it does not multiply. Gradient: y into x, x into y. */
export const mul = build.binary('mul') as Binary
/** x / y, of f32; x/0 is ±∞, 0/0 NaN. Gradient: 1/y into x, −x/y² into y. */
export const div = build.binary('div') as BinaryFloat
/** The smaller; NaN where either is. Gradient: into the smaller, half into each at a tie; into both where one is NaN. */
export const min = build.binary('min') as Binary
/** The greater; NaN where either is. Gradient: into the greater, half into each at a tie; into both where one is NaN. */
export const maximum = build.binary('max') as Binary

/**
 * x to the power y, as C's pow: 1 wherever y is 0 or x is 1, and NaN for x < 0 and y not whole.
 * By the exponent the gradient is 0 where x is 0 and y ≥ 0.
 */
export const pow = build.binary('pow') as BinaryFloat
/** x − ⌊x/y⌋·y: the remainder with the sign of y. For y = 0 it is NaN, of integers 0; by y its gradient is −⌊x/y⌋. */
export const mod = build.binary('mod') as Binary

/** x < y; false where either is NaN. Comparisons pass no gradient. */
export const less = build.binary('less') as Compare
/** x ≤ y; false where either is NaN. */
export const lessEqual = build.binary('lessEqual') as Compare
/** x = y; false where either is NaN, true of 0 and −0. */
export const equal = build.binary('equal') as Compare
/** x > y; false where either is NaN. */
export const greater = ((x: AnyTensor | number, y: AnyTensor | number) => build.binary('less')(y, x)) as Compare
/** x ≥ y; false where either is NaN. */
export const greaterEqual = ((x: AnyTensor | number, y: AnyTensor | number) => build.binary('lessEqual')(y, x)) as Compare

/** Both. */
export const and = build.binary('and') as unknown as Logic
/** Either, or both. */
export const or = build.binary('or') as unknown as Logic
/** True where x is false. */
export const not = unary('not') as unknown as <A extends string>(x: Tensor<A, 'bool'>) => Tensor<A, 'bool'>

/** The bits that both have. */
export const bitAnd = build.binary('bitAnd') as unknown as BinaryInteger
/** The bits that either has. */
export const bitOr = build.binary('bitOr') as unknown as BinaryInteger
/** The bits that just one of them has. */
export const bitXor = build.binary('bitXor') as unknown as BinaryInteger
/** x·2ʸ, wrapped. Of y the last five bits count. */
export const shiftLeft = build.binary('shiftLeft') as unknown as BinaryInteger
/** ⌊x/2ʸ⌋. Of y the last five bits count. */
export const shiftRight = build.binary('shiftRight') as unknown as BinaryInteger

/** −x. Gradient: −1. */
export const neg = ofNumbers('neg')
/** |x|. Gradient: the sign of x, 0 at 0. */
export const abs = ofNumbers('abs')
/** −1, 0 or 1; NaN of NaN. No gradient. */
export const sign = ofNumbers('sign')
/** 1/x; ±∞ at ±0. Gradient: −1/x². */
export const recip = ofFloats('recip')
/** eˣ; ∞ from about 88.7 on, 0 at −∞. Gradient: eˣ. */
export const exp = ofFloats('exp')
/** eˣ − 1, exact near 0. Gradient: eˣ. */
export const expm1 = ofFloats('expm1')
/** ln x; −∞ at 0, NaN below. Gradient: 1/x, so ±∞ or NaN at 0: keep 0 out before, not after. */
export const log = ofFloats('log')
/** log(1 + x), exact near 0; −∞ at −1, NaN below. Gradient: 1/(1 + x). */
export const log1p = ofFloats('log1p')
/** √x; NaN below 0. Gradient: 1/(2√x), which is ∞ at 0. */
export const sqrt = ofFloats('sqrt')
/** 1/√x; ∞ at 0, NaN below. Gradient: −1/(2x√x). */
export const rsqrt = ofFloats('rsqrt')
/** The sine of an angle in radians, of any size; NaN of ±∞. Gradient: cos x. */
export const sin = ofFloats('sin')
/** The cosine of an angle in radians, of any size; NaN of ±∞. Gradient: −sin x. */
export const cos = ofFloats('cos')
/** (eˣ − e⁻ˣ)/(eˣ + e⁻ˣ), ±1 far out. Gradient: 1 − tanh² x. */
export const tanh = ofFloats('tanh')
/** 2/√π · ∫₀ˣ e^{−t²} dt, ±1 far out. Gradient: 2/√π · e^{−x²}. */
export const erf = ofFloats('erf')
/** σ(x) = 1/(1 + e⁻ˣ), 0 and 1 far out. Gradient: σ(1 − σ). */
export const sigmoid = ofFloats('sigmoid')
/** log(1 + eˣ), without overflow: −log σ(−x). Gradient: σ(x). */
export const softplus = ofFloats('softplus')
/** The greatest whole number that is not above x; no gradient. */
export const floor = ofFloats('floor')

type Cast<D extends DType> = <A extends string>(
  x: Tensor<A, DType> | Tensor<A> | Tensor<A, 'i32'> | Tensor<A, 'u32'> | Tensor<A, 'bool'>,
) => Tensor<A, D>

/** A bool as 0 or 1; an integer to the nearest f32. A float is itself, gradient and all; what is no float has none. */
export const toF32 = unary('toF32') as unknown as Cast<'f32'>
/** Towards zero; what is too great is the greatest i32, what is too small the least, NaN is 0. No gradient. */
export const toI32 = unary('toI32') as unknown as Cast<'i32'>
/** Towards zero; what is negative or NaN is 0, what is too great the greatest u32. No gradient. */
export const toU32 = unary('toU32') as unknown as Cast<'u32'>
/** x ≠ 0; true of NaN. */
export const toBool = unary('toBool') as unknown as Cast<'bool'>

type Bitcast<D extends Num> = <A extends string>(x: Tensor<A> | Tensor<A, 'i32'> | Tensor<A, 'u32'>) => Tensor<A, D>

/** The f32 with these 32 bits. No gradient; which NaN a NaN is, nobody promises. */
export const bitsToF32 = build.bitcast('f32') as unknown as Bitcast<'f32'>
/** The 32 bits of x as a number in two's complement. No gradient. */
export const bitsToI32 = build.bitcast('i32') as unknown as Bitcast<'i32'>
/** The 32 bits of x as a number from 0 to 2³² − 1. No gradient. */
export const bitsToU32 = build.bitcast('u32') as unknown as Bitcast<'u32'>

export interface Select {
  <A extends string, B extends A, C extends A, D extends DType>(
    condition: Tensor<A, 'bool'>,
    x: Tensor<B, D> | number,
    y: Tensor<C, D> | number,
  ): Tensor<A, D>
  <A extends string, B extends A, C extends A, D extends DType>(
    condition: Tensor<B, 'bool'>,
    x: Tensor<A, D>,
    y: Tensor<C, D> | number,
  ): Tensor<A, D>
  <A extends string, B extends A, C extends A, D extends DType>(
    condition: Tensor<B, 'bool'>,
    x: Tensor<C, D> | number,
    y: Tensor<A, D>,
  ): Tensor<A, D>
  <C extends AnyTensor>(condition: Refused<C, SelectComplaint<C>>, x: unknown, y: unknown): never
}

type SelectComplaint<C extends AnyTensor> = C['dtype'] extends 'bool'
  ? 'one of the three must have all the axes of the others, and both branches one type'
  : 'the condition must be a bool: a comparison or toBool makes one'

/** x where the condition holds, y elsewhere. The branch that is not taken leaks neither value nor gradient, not even a NaN. */
export const select = build.select as unknown as Select

/** Every product of an element of x and one of y; axes that both have are walked together. Gradient: into both. */
export const outer = build.contract() as unknown as <A extends string, B extends string>(x: Tensor<A>, y: Tensor<B>) => Tensor<A | B>

/** x, a constant to the derivative. `axgrad check` holds it at its value while it takes differences. */
export const stopGradient = ((x: AnyTensor) => build.stopGradient(x)) as unknown as <A extends string, D extends DType>(
  x: Tensor<A, D>,
) => Tensor<A, D>

/** One number as a tensor, f32 unless a type is given. A number that the type does not hold is an error of the program. */
export const scalar = ((value: number, dtype?: DType) => build.constant(value, dtype)) as {
  (value: number): Scalar
  <D extends DType>(value: number, dtype: D): Scalar<D>
}

/** y, which must have just the axes of x: an ascription for generic bodies that rename and contract, checked when the graph is built. */
export const sameAxesAs = ((like: AnyTensor) => build.ascribe(axisNames(like))) as unknown as <A extends string>(
  like: Tensor<A>,
) => (y: AnyTensor) => Tensor<A>
