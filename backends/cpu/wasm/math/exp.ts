import type { Expr } from '../asm.js'
import type { Algebra } from './algebra.js'
import { type Formula, ofFloats, type Writer } from './formula.js'
import { polynomial } from './polynomial.js'

// Inside, everything is float64 with relative errors near 1e-11, so that the one rounding to float32 at the end is all one sees.

type Float = Expr<'f64'>

/** (eʳ − 1)/r for |r| ≤ ½·ln 2, to 5e-12: a Chebyshev approximation. */
const expm1Series = [
  0.9999999999955055, 0.4999999999995507, 0.1666666678638044, 0.041666666786337556, 0.008333283518768105, 0.001388883909064138,
  0.00019907582591325134, 2.4867883453521802e-5,
]

/** eˣ = 2ᵏ·eʳ, as 2ᵏ and eʳ − 1. Beyond ±160 float32 has only 0 and ∞, and these come out of the final rounding. */
const split = (w: Writer, unbounded: Float): { readonly power: Float; readonly rest: Float } => {
  const x = w.float(w.atLeast(w.atMost(unbounded, 160), -160))
  const k = w.float(w.nearest(w.mul(x, Math.LOG2E)))
  const r = w.float(w.sub(x, w.mul(k, Math.LN2)))
  return { power: w.float(power2(w, k)), rest: w.float(w.mul(polynomial(w, r, expm1Series), r)) }
}

/** The sum of it and of a whole number below 2⁵¹ has that number as its last bits. */
export const whole = 1.5 * 2 ** 52

/** 2ᵏ for a whole k, by its exponent bits. */
const power2 = (w: Algebra, k: Float): Float => w.floatOf(w.shl(w.bitsOf(w.add(k, whole + 1023)), 52))

/** For |x| > 160 as for ±160. */
export const exp64 = (w: Writer, x: Float): Float => {
  const { power, rest } = split(w, x)
  return w.mul(power, w.add(rest, 1))
}

/** eˣ − 1 = 2ᵏ·(eʳ − 1) + (2ᵏ − 1): nothing cancels. For |x| > 160 as for ±160. */
export const expm1_64 = (w: Writer, x: Float): Float => {
  const { power, rest } = split(w, x)
  return w.add(w.mul(power, rest), w.sub(power, 1))
}

/** The sign is copied for the sake of −0. */
const expm1Formula: Formula = (w, x) => w.copysign(expm1_64(w, x), x)

/** With t = e^{2|x|} − 1: tanh |x| = t/(t + 2). */
const tanhFormula: Formula = (w, x) => {
  const t = w.float(expm1_64(w, w.mul(w.abs(x), 2)))
  return w.copysign(w.div(t, w.add(t, 2)), x)
}

export const exp = ofFloats('exp', 1, (w, x) => exp64(w, x))
export const expm1 = ofFloats('expm1', 1, expm1Formula)
export const tanh = ofFloats('tanh', 1, tanhFormula)
/** 1/(1 + e⁻ˣ) */
export const sigmoid = ofFloats('sigmoid', 1, (w, x) => w.div(1, w.add(exp64(w, w.neg(x)), 1)))
