import type { DType, ScalarOp } from '../../dsl/index.js'
import { float32 } from '../../backends/cpu/evaluate.js'
import { anything, type Bounded, exactly, high, isCertain, low, monotone } from './bounded.js'

export type Integer = Exclude<DType, 'f32'>

const fits: { readonly [D in Integer]: (x: number) => boolean } = {
  i32: (x) => x >= -(2 ** 31) && x < 2 ** 31,
  u32: (x) => x >= 0 && x < 2 ** 32,
  bool: (x) => x >= 0 && x <= 1,
}

/** Where every operand is certain, so is the result, wrapped; else it lies between those at the corners, if none of them wraps. */
export const whole =
  (dtype: Integer, op: ScalarOp, unwrapped: (...operands: readonly number[]) => number) =>
  (...operands: readonly Bounded[]): Bounded => {
    const value = float32.scalar(dtype)[op](...operands.map((x) => x.value))
    if (operands.every(isCertain)) return exactly(value)
    const between = monotone(unwrapped, 0)(...operands)
    return fits[dtype](low(between)) && fits[dtype](high(between)) ? between : anything(value)
  }

/** An operation that no order of its operands tells of: certain where they are. */
export const bits =
  (dtype: Integer, op: ScalarOp) =>
  (...operands: readonly Bounded[]): Bounded => {
    const value = float32.scalar(dtype)[op](...operands.map((x) => x.value))
    return operands.every(isCertain) ? exactly(value) : anything(value)
  }

export const wholeSum = (dtype: Integer, terms: readonly Bounded[]): Bounded => {
  const value = float32.sum(
    dtype,
    terms.map((x) => x.value),
  )
  const error = terms.reduce((sum, x) => sum + x.error, 0)
  return error === 0 || (fits[dtype](value - error) && fits[dtype](value + error)) ? { value, error } : anything(value)
}
