import type { DType, Order, ScalarOp } from '../../../dsl/index.js'

export type ScalarTable<T> = { readonly [O in ScalarOp]: (...operands: readonly T[]) => T }

/** What an expression is evaluated in: float64, float32, or a value with the error that it may have. */
export interface Arithmetic<T> {
  /** A number that the program is given or holds, as an element. */
  readonly element: (dtype: DType, value: number) => T
  /** The scalar operations, where the result has this type. */
  readonly scalar: (result: DType) => ScalarTable<T>
  readonly sum: (dtype: DType, terms: readonly T[]) => T
  /** The greatest; NaN where there is one, −∞ (the least integer) of nothing. */
  readonly max: (dtype: DType, terms: readonly T[]) => T
  /** The least; NaN where there is one, ∞ (the greatest integer) of nothing. */
  readonly min: (dtype: DType, terms: readonly T[]) => T
  /** Which is the greatest: the first of them, or the first NaN; 0 of nothing. */
  readonly argMax: (terms: readonly T[]) => T
  /** Which is the least: the first of them, or the first NaN; 0 of nothing. */
  readonly argMin: (terms: readonly T[]) => T
  /** The places of the terms, from the least on; equal ones in their order, NaN behind all. */
  readonly argSort: (terms: readonly T[], order: Order) => readonly T[]
  /** The place that an id points to; undefined where that is not certain. */
  readonly place: (id: T) => number | undefined
  /** What may be any element at all. */
  readonly anything: (dtype: DType) => T
}
