import type { Expr } from '../asm.js'
import type { Algebra, Mask } from './algebra.js'
import { exp64 } from './exp.js'
import { type Formula, ofFloats } from './formula.js'
import { log64 } from './log.js'

type Float = Expr<'f64'>

const isWhole = (w: Algebra, y: Float): Mask => w.eq(w.trunc(y), y)
/** ±∞ is whole and even. */
const isOdd = (w: Algebra, y: Float): Mask => w.and(isWhole(w, y), w.not(isWhole(w, w.mul(y, 0.5))))

const isNegativeFinite = (w: Algebra, x: Float): Mask => w.and(w.lt(x, 0), w.gt(x, -Infinity))

const isAlwaysOne = (w: Algebra, x: Float, y: Float): Mask =>
  w.or(w.or(w.eq(x, 1), w.eq(y, 0)), w.and(w.eq(x, -1), w.eq(w.abs(y), Infinity)))

/**
 * C's pow, as PyTorch has it: pow(x, 0) = pow(1, y) = 1 even for NaN, and pow(−1, ±∞) = 1, where JavaScript's ** gives NaN.
 * |x|^y = e^(y·ln|x|), negative for x below zero (−0 included) and odd y, NaN for finite x < 0 and broken y.
 */
const formula: Formula = (w, ...operands) => {
  const [x, y] = operands as readonly [Float, Float]
  const size = w.float(exp64(w, w.mul(y, log64(w, w.float(w.abs(x))))))
  const signed = w.select(isOdd(w, y), w.copysign(size, x), size)
  const real = w.select(w.and(isNegativeFinite(w, x), w.not(isWhole(w, y))), NaN, signed)
  return w.select(isAlwaysOne(w, x, y), 1, real)
}

export const pow = ofFloats('pow', 2, formula)
