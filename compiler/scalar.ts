import { type DType, random } from '../dsl/index.js'
import type { LoopOp } from './loop-ir.js'

const { fround } = Math

/** A number as it is stored in a type: rounded, wrapped, or made 0 or 1. */
export const stored: { readonly [D in DType]: (x: number) => number } = {
  f32: fround,
  i32: (x) => x | 0,
  u32: (x) => x >>> 0,
  bool: (x) => (x === 0 ? 0 : 1),
}

const saturated =
  (low: number, high: number) =>
  (x: number): number =>
    Number.isNaN(x) ? 0 : Math.min(high, Math.max(low, Math.trunc(x)))

/**
 * The number of f16 that is nearest, of two as near the even one; what is beyond the greatest is ∞. Its steps are 2⁻²⁴ up to 2⁻¹⁴, and from there
 * on 2⁻¹⁰ of the power of two below.
 */
export const nearestHalf = (x: number): number => {
  const size = Math.abs(x)
  if (!(size > 0) || size === Infinity) return x
  const step = 2 ** (Math.max(-14, Math.floor(Math.log2(size))) - 10)
  const steps = size / step
  const low = Math.floor(steps)
  const isUp = steps - low > 0.5 || (steps - low === 0.5 && low % 2 === 1)
  const nearest = (isUp ? low + 1 : low) * step
  return Math.sign(x) * (nearest > 65_504 ? Infinity : nearest)
}

const product = (x: number, y: number, dtype: DType): number => (dtype === 'f32' ? x * y : Math.imul(x, y))

/** 2/√π·Σ (−1)ⁿ·x²ⁿ⁺¹/(n!·(2n + 1)) where the terms are small enough to cancel in float64; from 4 on it is 1 in float32. */
const erf = (x: number): number => {
  if (!(Math.abs(x) < 4)) return Math.sign(x)
  let power = x
  let sum = x
  for (let n = 1; Math.abs(power) > 1e-20; n++) {
    power *= (-x * x) / n
    sum += power / (2 * n + 1)
  }
  return (2 / Math.sqrt(Math.PI)) * sum
}

/** The remainder takes the sign of y. */
const modulo = (x: number, y: number): number => {
  const rest = x % y
  return rest === 0 || Math.sign(rest) === Math.sign(y) ? rest : rest + y
}

/** What each operation of the loop language gives in the interpreter, before it is stored in the result's type. */
export const scalar: { readonly [O in LoopOp]: (operands: readonly number[], dtype: DType) => number } = {
  neg: ([x = 0]) => -x,
  abs: ([x = 0]) => Math.abs(x),
  sign: ([x = 0]) => Math.sign(x),
  recip: ([x = 0]) => 1 / x,
  exp: ([x = 0]) => Math.exp(x),
  expm1: ([x = 0]) => Math.expm1(x),
  log: ([x = 0]) => Math.log(x),
  log1p: ([x = 0]) => Math.log1p(x),
  sqrt: ([x = 0]) => Math.sqrt(x),
  rsqrt: ([x = 0]) => 1 / Math.sqrt(x),
  sin: ([x = 0]) => Math.sin(x),
  cos: ([x = 0]) => Math.cos(x),
  tanh: ([x = 0]) => Math.tanh(x),
  erf: ([x = 0]) => erf(x),
  sigmoid: ([x = 0]) => 1 / (1 + Math.exp(-x)),
  softplus: ([x = 0]) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
  floor: ([x = 0]) => Math.floor(x),
  add: ([x = 0, y = 0]) => x + y,
  sub: ([x = 0, y = 0]) => x - y,
  mulHalves: ([x = 0, y = 0]) => nearestHalf(nearestHalf(x) * nearestHalf(y)),
  mul: ([x = 0, y = 0], dtype) => product(x, y, dtype),
  div: ([x = 0, y = 0]) => x / y,
  pow: ([x = 0, y = 0]) => (x === 1 || (x === -1 && !Number.isFinite(y) && !Number.isNaN(y)) ? 1 : Math.pow(x, y)),
  mod: ([x = 0, y = 0], dtype) => (y === 0 && dtype !== 'f32' ? 0 : modulo(x, y)),
  min: ([x = 0, y = 0]) => Math.min(x, y),
  max: ([x = 0, y = 0]) => Math.max(x, y),
  less: ([x = 0, y = 0]) => Number(x < y),
  lessEqual: ([x = 0, y = 0]) => Number(x <= y),
  equal: ([x = 0, y = 0]) => Number(x === y),
  and: ([x = 0, y = 0]) => x & y,
  or: ([x = 0, y = 0]) => x | y,
  not: ([x = 0]) => 1 - x,
  bitAnd: ([x = 0, y = 0]) => x & y,
  bitOr: ([x = 0, y = 0]) => x | y,
  bitXor: ([x = 0, y = 0]) => x ^ y,
  shiftLeft: ([x = 0, y = 0]) => x << y,
  shiftRight: ([x = 0, y = 0], dtype) => (dtype === 'u32' ? x >>> y : x >> y),
  select: ([condition = 0, x = 0, y = 0]) => (condition === 0 ? y : x),
  toF32: ([x = 0]) => x,
  toI32: ([x = 0]) => saturated(-2147483648, 2147483647)(x),
  toU32: ([x = 0]) => saturated(0, 4294967295)(x),
  toBool: ([x = 0]) => Number(x !== 0),
  floatBits: ([x = 0]) => new Uint32Array(Float32Array.of(x).buffer)[0] ?? 0,
  bitsToF32: ([x = 0]) => new Float32Array(Uint32Array.of(x).buffer)[0] ?? 0,
  bitsToI32: ([x = 0]) => x,
  bitsToU32: ([x = 0]) => x,
  threefry0: ([k0 = 0, k1 = 0, c0 = 0, c1 = 0]) => random.threefry([k0, k1], [c0, c1])[0],
  threefry1: ([k0 = 0, k1 = 0, c0 = 0, c1 = 0]) => random.threefry([k0, k1], [c0, c1])[1],
  quotient: ([x = 0, y = 1]) => Math.trunc(x / y),
  remainder: ([x = 0, y = 1]) => x % y,
}
