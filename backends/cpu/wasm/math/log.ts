import type { Expr } from '../asm.js'
import { exp64 } from './exp.js'
import { type Formula, ofFloats, type Writer } from './formula.js'
import { polynomial } from './polynomial.js'

type Float = Expr<'f64'>

const sqrtHalfBits = 0x3fe6a09e667f3bcdn
const fraction = 0xf_ffff_ffff_ffffn

/** 2·artanh(s)/s in s² for |s| ≤ 0.172, to 5e-14: a Chebyshev approximation. */
const artanhSeries = [
  1.9999999999999472, 0.6666666667960768, 0.39999994882809425, 0.28572167127643644, 0.22174207000684107, 0.19608743813052198,
]

/**
 * ln x, for x normal in float64 or zero, as every float32 is. x = 2ᵏ·m with m in [√½, √2), and ln m = 2·artanh(s)
 * with s = (m − 1)/(m + 1). Outside (0, ∞) the square root has the right answer, except at zero.
 */
export const log64 = (w: Writer, x: Float): Float => {
  const above = w.word(w.subBits(w.bitsOf(x), sqrtHalfBits))
  const m = w.float(w.floatOf(w.addBits(w.andBits(above, fraction), sqrtHalfBits)))
  // The exponent, made the last bits of 2⁵².
  const k = w.sub(w.floatOf(w.orBits(w.shr(w.addBits(above, 1023n << 52n), 52), 0x433n << 52n)), 2 ** 52 + 1023)
  const s = w.float(w.div(w.sub(m, 1), w.add(m, 1)))
  const s2 = w.float(w.mul(s, s))
  return w.select(
    w.and(w.gt(x, 0), w.lt(x, Infinity)),
    w.add(w.mul(k, Math.LN2), w.mul(s, polynomial(w, s2, artanhSeries))),
    w.select(w.eq(x, 0), -Infinity, w.sqrt(x)),
  )
}

/** ln(1 + x) = ln u + (x − (u − 1)) with u = 1 + x as rounded; the second term is below 1e-16, and NaN for x = ∞, where it is left out. */
const log1p_64 = (w: Writer, x: Float): Float => {
  const u = w.float(w.add(x, 1))
  return w.add(log64(w, u), w.select(w.lt(x, 1), w.sub(x, w.sub(u, 1)), 0))
}

/** The sign is copied for the sake of −0. */
const log1pFormula: Formula = (w, x) => w.copysign(log1p_64(w, x), x)

/** ln(1 + eˣ) = max(x, 0) + ln(1 + e^−|x|) */
const softplusFormula: Formula = (w, x) => w.add(w.atLeast(x, 0), log1p_64(w, w.float(exp64(w, w.neg(w.abs(x))))))

export const log = ofFloats('log', 1, (w, x) => log64(w, x))
export const log1p = ofFloats('log1p', 1, log1pFormula)
export const softplus = ofFloats('softplus', 1, softplusFormula)
