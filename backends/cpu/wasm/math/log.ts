import type { Bits, Float } from './algebra.js'
import { exp32, ln2 } from './exp.js'
import { type Formula, inFloat32, type Writer } from './formula.js'
import { polynomial } from './polynomial.js'

const sqrtHalfBits = 0x3f3504f3
const fraction = 0x7fffff

/** (2·artanh(s)/s − 2)/s² in s² for |s| ≤ 0.172, to 4e-12: a minimax approximation whose coefficients are float32. */
const artanhSeries = [0.6666666269302368, 0.40000879764556885, 0.28507405519485474, 0.24088674783706665]

/** x = 2ᵏ·(1 + f) with 1 + f in [√½, √2), for x normal and above 0; k lies in the exponent's place, 127 above what it is. */
const split = (w: Writer<'f32'>, x: Float<'f32'>): { readonly k: Bits<'f32'>; readonly f: Float<'f32'> } => {
  const above = w.word(w.subBits(w.bitsOf(x), sqrtHalfBits))
  const m = w.floatOf(w.addBits(w.andBits(above, fraction), sqrtHalfBits))
  return { k: w.shr(w.addBits(above, 127 << 23), 23), f: w.float(w.sub(m, 1)) }
}

/** The number whose last bits those of 2²³ are. */
const numberOf = (w: Writer<'f32'>, bits: Bits<'f32'>, minus: Float<'f32'> | number): Float<'f32'> =>
  w.float(w.sub(w.floatOf(w.orBits(bits, 0x4b000000)), minus))

/**
 * k·ln 2 + ln(1 + f) + more. With s = f/(2 + f): ln(1 + f) = 2·artanh(s) = f − (½f² − s·(½f² + s²·P(s²))), whose largest term is exact,
 * as is the product of k and the first part of ln 2 (W. J. Cody and W. Waite; Sun's fdlibm has it so).
 */
const logOf = (w: Writer<'f32'>, k: Float<'f32'>, f: Float<'f32'>, more?: Float<'f32'>): Float<'f32'> => {
  const s = w.float(w.div(f, w.add(f, 2)))
  const s2 = w.float(w.mul(s, s))
  const half = w.float(w.mul(w.mul(f, 0.5), f))
  const low = w.mul(k, ln2.low)
  const small = w.add(w.mul(s, w.add(half, w.mul(s2, polynomial(w, s2, artanhSeries)))), more === undefined ? low : w.add(low, more))
  return w.sub(w.mul(k, ln2.high), w.sub(w.sub(half, small), f))
}

/** Outside (0, ∞) the square root has the right answer, except at zero. */
const where = (w: Writer<'f32'>, x: Float<'f32'>, value: Float<'f32'>): Float<'f32'> =>
  w.select(w.and(w.gt(x, 0), w.lt(x, Infinity)), value, w.select(w.eq(x, 0), -Infinity, w.sqrt(x)))

/** What is below the least normal number is first made larger by 2²³. */
const logFormula: Formula<'f32'> = (w, x) => {
  const isSmall = w.lt(x, 2 ** -126)
  const { k, f } = split(w, w.float(w.select(isSmall, w.mul(x, 2 ** 23), x)))
  const shift = w.select(isSmall, 2 ** 23 + 127 + 23, 2 ** 23 + 127)
  return where(w, x, logOf(w, numberOf(w, k, shift), f))
}

/** ln(1 + x) = ln u + (x − (u − 1))/u with u = 1 + x as rounded; the difference is NaN for x = ∞, where it is left out. The sign is copied for the sake of −0. */
const log1p32: Formula<'f32'> = (w, x) => {
  const u = w.float(w.add(x, 1))
  const { k, f } = split(w, u)
  const lost = w.select(w.lt(x, 2 ** 24), w.sub(x, w.sub(u, 1)), 0)
  return w.copysign(where(w, u, logOf(w, numberOf(w, k, 2 ** 23 + 127), f, w.div(lost, u))), x)
}

/** ln(1 + eˣ) = max(x, 0) + ln(1 + e^−|x|) */
const softplusFormula: Formula<'f32'> = (w, x) => w.add(w.atLeast(x, 0), log1p32(w, w.float(exp32(w, w.neg(w.abs(x))))))

export const log = inFloat32('log', logFormula)
export const log1p = inFloat32('log1p', log1p32)
export const softplus = inFloat32('softplus', softplusFormula)
