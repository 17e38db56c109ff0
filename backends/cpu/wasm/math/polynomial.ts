import { f64, type Expr, type Local } from '../asm.js'

/** c₀ + c₁·x + c₂·x² + …, by Horner's rule. */
export const polynomial = (x: Local<'f64'>, coefficients: readonly number[]): Expr<'f64'> =>
  coefficients
    .slice(0, -1)
    .reduceRight<Expr<'f64'>>((sum, coefficient) => f64.add(f64.mul(sum, x), coefficient), f64.const(coefficients.at(-1) ?? 0))

export const inverseFactorial = (n: number): number => (n === 0 ? 1 : inverseFactorial(n - 1) / n)
