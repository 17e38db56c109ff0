import type { Algebra, Bits, Float } from './algebra.js'
import { type Formula, inFloat32, type Writer } from './formula.js'
import { polynomial } from './polynomial.js'

/** ln 2 in two parts (Cody and Waite). The first has 15 bits, so that its product with a whole number of 9 bits is exact. */
export const ln2 = { high: 0.693145751953125, low: Math.fround(1.42860677e-6) } as const

// Minimax approximations whose coefficients are float32.

/** (eʳ − 1 − r)/r² for |r| ≤ ½·ln 2, to 3e-9 of eʳ. */
const expSeries = [0.5, 0.1666651964187622, 0.04166640341281891, 0.008368827402591705, 0.0013940647477284074]

/** (tanh(a)/a − 1)/a² in a² for a ≤ ½·ln 3, to 1e-9 of tanh(a)/a. */
const tanhSeries = [-0.33333316445350647, 0.13332541286945343, -0.05384696647524834, 0.021047359332442284, -0.00623690988868475]
const halfLn3 = Math.fround(Math.log(3) / 2)

/** eˣ = 2ᵏ·eʳ with eʳ − 1 = near + rest: `near` is r but for what ln 2 has beyond its first part, and exact. */
interface Split {
  readonly k: Float<'f32'>
  /** k as an exponent that no bias is added to. */
  readonly exponent: Bits<'f32'>
  readonly near: Float<'f32'>
  readonly rest: Float<'f32'>
}

/** For |x| < 256·ln 2. */
const split = (w: Writer<'f32'>, x: Float<'f32'>): Split => {
  const shifted = w.float(w.add(w.mul(x, Math.LOG2E), w.whole))
  const k = w.float(w.sub(shifted, w.whole))
  const near = w.float(w.sub(x, w.mul(k, ln2.high)))
  const below = w.float(w.mul(k, ln2.low))
  const r = w.float(w.sub(near, below))
  const rest = w.float(w.sub(w.mul(w.mul(r, r), polynomial(w, r, expSeries)), below))
  return { k, exponent: w.word(w.shl(w.bitsOf(shifted), 23)), near, rest }
}

const oneBits = 0x3f800000
const exponentBits = 0xff800000 | 0

/** 2ᵏ in two factors, since it may be beyond what a float32 has an exponent for: a product with both is rounded once. */
const halves = (w: Writer<'f32'>, exponent: Bits<'f32'>): readonly [Bits<'f32'>, Bits<'f32'>] => {
  const half = w.word(w.andBits(w.sar(exponent, 1), exponentBits))
  return [half, w.word(w.subBits(exponent, half))]
}

const power = (w: Algebra<'f32'>, exponent: Bits<'f32'>): Float<'f32'> => w.floatOf(w.addBits(exponent, oneBits))
const inverse = (w: Algebra<'f32'>, exponent: Bits<'f32'>): Float<'f32'> => w.floatOf(w.subBits(oneBits, exponent))

const scaled = (w: Writer<'f32'>, x: Float<'f32'>, exponent: Bits<'f32'>): Float<'f32'> => {
  const [first, second] = halves(w, exponent)
  return w.mul(w.mul(x, power(w, first)), power(w, second))
}

const between = (w: Writer<'f32'>, x: Float<'f32'>, least: number, most: number): Float<'f32'> =>
  w.float(w.atLeast(w.atMost(x, most), least))

/** Beyond −104 and 89 there are only 0 and ∞. */
export const exp32: Formula<'f32'> = (w, x) => {
  const { exponent, near, rest } = split(w, between(w, x, -104, 89))
  return scaled(w, w.add(w.add(near, rest), 1), exponent)
}

/** eˣ − 1 = 2ᵏ·(eʳ − 2⁻ᵏ). Below −18 it is −1, and 2⁻ᵏ is nothing beside 1 where k > 30. The sign is copied for the sake of −0. */
const expm1Formula: Formula<'f32'> = (w, x) => {
  const { k, exponent, near, rest } = split(w, between(w, x, -18, 89))
  const small = w.shl(w.bitsOf(w.sub(w.whole, w.atMost(k, 30))), 23)
  const unscaled = w.add(w.add(near, w.sub(1, power(w, small))), rest)
  return w.copysign(scaled(w, unscaled, exponent), x)
}

/**
 * 1/(1 + 2ᵏ·eʳ) = 2⁻ᵏ/(2⁻ᵏ + 1 + (eʳ − 1)) for −x = k·ln 2 + r. What 2⁻ᵏ + 1 loses, which is something where k > 23, is added after.
 * Above 18 it is 1.
 */
const sigmoidFormula: Formula<'f32'> = (w, x) => {
  const { exponent, near, rest } = split(w, between(w, w.neg(x), -18, 104))
  const [first, second] = halves(w, exponent).map((half) => w.float(inverse(w, half))) as [Float<'f32'>, Float<'f32'>]
  const small = w.float(w.mul(first, second))
  const sum = w.float(w.add(small, 1))
  const lost = w.sub(small, w.sub(sum, 1))
  return w.mul(w.div(first, w.add(sum, w.add(w.add(near, rest), lost))), second)
}

/** For a = |x|: a + a³·P(a²), or from ½ on 1 − 2/(1 + e²ᵃ) = 1 − 2·2⁻ᵏ/(2⁻ᵏ + 1 + (eʳ − 1)). Above 10 it is 1. */
const tanhFormula: Formula<'f32'> = (w, x) => {
  const a = w.float(w.atMost(w.abs(x), 10))
  const square = w.float(w.mul(a, a))
  const small = w.add(a, w.mul(a, w.mul(square, polynomial(w, square, tanhSeries))))
  const { exponent, near, rest } = split(w, w.float(w.add(a, a)))
  const scale = w.float(inverse(w, exponent))
  const large = w.sub(1, w.div(w.add(scale, scale), w.add(w.add(scale, 1), w.add(near, rest))))
  return w.copysign(w.select(w.lt(a, halfLn3), small, large), x)
}

export const exp = inFloat32('exp', exp32)
export const expm1 = inFloat32('expm1', expm1Formula)
export const tanh = inFloat32('tanh', tanhFormula)
/** 1/(1 + e⁻ˣ) */
export const sigmoid = inFloat32('sigmoid', sigmoidFormula)
