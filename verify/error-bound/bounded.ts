/**
 * A number in float64, and how far from it any float32 backend may end up. With error 0 a NaN or ±∞ is certain; with
 * error ∞ anything may come, a NaN too. A bool or an integer that is not certain has an error of 1 or more.
 */
export interface Bounded {
  readonly value: number
  readonly error: number
}

/** Half an ulp of a float32 that begins with 1: the most that a correct rounding moves a number, relative to it. */
export const unit = 2 ** -24
/** What flushing a subnormal may lose. */
const flushed = 2 ** -126
const greatestFloat = (2 - 2 ** -23) * 2 ** 127
/** Room for the rounding of float64 itself. */
const room = 1 + 2 ** -20

export const exactly = (value: number): Bounded => ({ value, error: 0 })
export const anything = (value: number): Bounded => ({ value, error: Infinity })

export const low = ({ value, error }: Bounded): number => (error === 0 ? value : value - error)
export const high = ({ value, error }: Bounded): number => (error === 0 ? value : value + error)

/** Whether a value is the same on every backend, be it finite or not. */
export const isCertain = ({ error }: Bounded): boolean => error === 0
export const mayBeAnything = ({ error }: Bounded): boolean => error === Infinity
export const mayBeZero = (x: Bounded): boolean => low(x) <= 0 && high(x) >= 0

const ends = (x: Bounded): readonly number[] => (isCertain(x) ? [x.value] : [low(x), high(x)])

const corners = (operands: readonly Bounded[]): readonly (readonly number[])[] =>
  operands.reduce<readonly (readonly number[])[]>((all, x) => all.flatMap((corner) => ends(x).map((end) => [...corner, end])), [[]])

const isSubnormal = (x: number): boolean => x !== 0 && Math.abs(x) < flushed

/** A number that the program is given or holds, as float32 has it. */
export const given = (number: number): Bounded => {
  const value = Math.fround(number)
  return { value, error: isSubnormal(value) ? Math.abs(value) : 0 }
}

/** `error` about a value of at most this magnitude, unless that may overflow. */
export const within = (value: number, error: number, magnitude: number): Bounded =>
  magnitude + error > greatestFloat ? anything(value) : { value, error: error * room }

/** What `ulps` and flushing add. */
export const roundingOf = (ulps: number, magnitude: number): number => (ulps === 0 ? 0 : 2 * ulps * unit * magnitude + flushed)

/**
 * A function that rises or falls throughout in each of its operands, computed within `ulps`: its results lie between those at
 * the corners. What is not finite is certain only if it is the same at all of them.
 */
export const monotone =
  (f: (...operands: readonly number[]) => number, ulps: number) =>
  (...operands: readonly Bounded[]): Bounded => {
    const value = f(...operands.map((x) => x.value))
    if (operands.some(mayBeAnything)) return anything(value)
    const results = corners(operands).map((corner) => f(...corner))
    if (![value, ...results].every(Number.isFinite)) return results.every((y) => Object.is(y, value)) ? exactly(value) : anything(value)
    const spread = Math.max(...results.map((y) => Math.abs(y - value)))
    const magnitude = Math.max(...results.map(Math.abs))
    const isFloat = Math.fround(value) === value && !isSubnormal(value)
    // A correctly rounded operation on certain numbers is certain where the result is a float32; and 0 · x is 0.
    const isExact = magnitude === 0 || (ulps <= 0.5 && isFloat && operands.every(isCertain))
    return isExact ? exactly(value) : within(value, spread + roundingOf(ulps, magnitude), magnitude)
  }

/** One of the two, the first of them in float64. */
export const eitherOf = (x: Bounded, y: Bounded): Bounded => {
  if (x === y || (isCertain(x) && isCertain(y) && Object.is(x.value, y.value))) return x
  const error = Math.max(high(x) - x.value, Math.abs(low(y) - x.value), Math.abs(high(y) - x.value))
  return Number.isFinite(error) ? { value: x.value, error } : anything(x.value)
}

/** Σ in any order, with or without fused multiply-add: Σ errors + n·u·Σ|x|. */
export const sumOf = (all: readonly Bounded[]): Bounded => {
  const terms = all.filter((x) => !(isCertain(x) && x.value === 0))
  const value = terms.reduce((sum, x) => sum + x.value, 0)
  if (terms.some(mayBeAnything)) return anything(value)
  if (terms.length <= 1) return terms[0] ?? exactly(0)
  const finite = terms.filter((x) => Number.isFinite(x.value))
  const error = finite.reduce((sum, x) => sum + x.error, 0)
  const magnitude = finite.reduce((sum, x) => sum + Math.abs(x.value), 0) + error
  const areWhole = finite.every((x) => isCertain(x) && Number.isInteger(x.value))
  if (areWhole && magnitude <= 2 ** 24) return exactly(value)
  const growth = finite.length * unit
  const sum =
    growth < 0.5 ? within(value, error + (growth / (1 - growth)) * magnitude + finite.length * flushed, magnitude) : anything(value)
  return Number.isFinite(value) || mayBeAnything(sum) ? sum : exactly(value)
}
