import type { Expr, Operand } from '../asm.js'
import type { Algebra } from './algebra.js'

/** c₀ + c₁·x + c₂·x² + …, by Horner's rule. */
export const polynomial = (w: Algebra, x: Expr<'f64'>, coefficients: readonly number[]): Expr<'f64'> =>
  coefficients.reduceRight<Operand<'f64'>>((sum, c) => (sum === 0 ? c : w.add(w.mul(sum, x), c)), 0) as Expr<'f64'>
