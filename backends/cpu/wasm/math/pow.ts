import type { Algebra, Float, Mask } from './algebra.js'
import { type Formula, inFloat64, type Writer } from './formula.js'
import { polynomial } from './polynomial.js'

// Inside, everything is float64 with relative errors near 1e-11, so that the one rounding to float32 at the end is all one sees.

// Chebyshev approximations.

/** (eʳ − 1)/r for |r| ≤ ½·ln 2, to 5e-12. */
const expm1Series = [
  0.9999999999955055, 0.4999999999995507, 0.1666666678638044, 0.041666666786337556, 0.008333283518768105, 0.001388883909064138,
  0.00019907582591325134, 2.4867883453521802e-5,
]

/** 2·artanh(s)/s in s² for |s| ≤ 0.172, to 5e-14. */
const artanhSeries = [
  1.9999999999999472, 0.6666666667960768, 0.39999994882809425, 0.28572167127643644, 0.22174207000684107, 0.19608743813052198,
]

/** eˣ = 2ᵏ·eʳ. Beyond ±160 float32 has only 0 and ∞, and these come out of the final rounding. */
const exp64 = (w: Writer<'f64'>, unbounded: Float<'f64'>): Float<'f64'> => {
  const x = w.float(w.atLeast(w.atMost(unbounded, 160), -160))
  const k = w.float(w.nearest(w.mul(x, Math.LOG2E)))
  const r = w.float(w.sub(x, w.mul(k, Math.LN2)))
  return w.mul(power2(w, k), w.add(w.mul(polynomial(w, r, expm1Series), r), 1))
}

/** 2ᵏ for a whole k, by its exponent bits. */
const power2 = (w: Algebra<'f64'>, k: Float<'f64'>): Float<'f64'> => w.floatOf(w.shl(w.bitsOf(w.add(k, w.whole + 1023)), 52))

const sqrtHalfBits = 0x3fe6a09e667f3bcdn
const fraction = 0xf_ffff_ffff_ffffn

/**
 * ln x, for x normal in float64 or zero, as every float32 is. x = 2ᵏ·m with m in [√½, √2), and ln m = 2·artanh(s)
 * with s = (m − 1)/(m + 1). Outside (0, ∞) the square root has the right answer, except at zero.
 */
const log64 = (w: Writer<'f64'>, x: Float<'f64'>): Float<'f64'> => {
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

const isWhole = (w: Algebra<'f64'>, y: Float<'f64'>): Mask => w.eq(w.trunc(y), y)
/** ±∞ is whole and even. */
const isOdd = (w: Algebra<'f64'>, y: Float<'f64'>): Mask => w.and(isWhole(w, y), w.not(isWhole(w, w.mul(y, 0.5))))

const isNegativeFinite = (w: Algebra<'f64'>, x: Float<'f64'>): Mask => w.and(w.lt(x, 0), w.gt(x, -Infinity))

const isAlwaysOne = (w: Algebra<'f64'>, x: Float<'f64'>, y: Float<'f64'>): Mask =>
  w.or(w.or(w.eq(x, 1), w.eq(y, 0)), w.and(w.eq(x, -1), w.eq(w.abs(y), Infinity)))

/**
 * C's pow, as PyTorch has it: pow(x, 0) = pow(1, y) = 1 even for NaN, and pow(−1, ±∞) = 1, where JavaScript's ** gives NaN.
 * |x|^y = e^(y·ln|x|), negative for x below zero (−0 included) and odd y, NaN for finite x < 0 and broken y.
 */
const formula: Formula<'f64'> = (w, ...operands) => {
  const [x, y] = operands as readonly [Float<'f64'>, Float<'f64'>]
  const size = w.float(exp64(w, w.mul(y, log64(w, w.float(w.abs(x))))))
  const signed = w.select(isOdd(w, y), w.copysign(size, x), size)
  const real = w.select(w.and(isNegativeFinite(w, x), w.not(isWhole(w, y))), NaN, signed)
  return w.select(isAlwaysOne(w, x, y), 1, real)
}

export const pow = inFloat64('pow', 2, formula)
