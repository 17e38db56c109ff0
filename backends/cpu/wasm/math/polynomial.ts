import type { Operand } from '../asm.js'
import type { Algebra, Float, FloatType } from './algebra.js'

/** c₀ + c₁·x + c₂·x² + …, by Horner's rule. */
export const polynomial = <T extends FloatType>(w: Algebra<T>, x: Float<T>, coefficients: readonly number[]): Float<T> =>
  coefficients.reduceRight<Operand<T>>((sum, c) => (sum === 0 ? c : w.add(w.mul(sum, x), c)), 0 as Operand<T>) as Float<T>
