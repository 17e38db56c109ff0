import { compareNumbers, float64 } from '../../backends/cpu/evaluate.js'
import type { Order } from '../../dsl/index.js'
import { anything, type Bounded, eitherOf, exactly, high, isCertain, low, mayBeAnything, mayBeZero, monotone } from './bounded.js'

/** A bool that float64 takes for `value`. */
const unsure = (value: boolean): Bounded => ({ value: value ? 1 : 0, error: 1 })
const surely = (value: boolean): Bounded => exactly(value ? 1 : 0)

const isNaNForSure = (x: Bounded): boolean => isCertain(x) && Number.isNaN(x.value)

/** A comparison, decided where the operands' ranges lie apart, or touch in the way that the comparison forgives. */
const comparison =
  (
    holds: (x: number, y: number) => boolean,
    ofItself: boolean,
    surelyHolds: (x: Bounded, y: Bounded) => boolean,
    surelyFails: (x: Bounded, y: Bounded) => boolean,
  ) =>
  (x: Bounded, y: Bounded): Bounded => {
    if (isNaNForSure(x) || isNaNForSure(y)) return surely(false)
    const value = holds(x.value, y.value)
    if (mayBeAnything(x) || mayBeAnything(y)) return unsure(value)
    if (isCertain(x) && isCertain(y)) return surely(value)
    if (x === y) return surely(ofItself)
    return surelyHolds(x, y) ? surely(true) : surelyFails(x, y) ? surely(false) : unsure(value)
  }

const isBelow = (x: Bounded, y: Bounded): boolean => high(x) < low(y)
const isNotAbove = (x: Bounded, y: Bounded): boolean => high(x) <= low(y)

export const less = comparison(
  (x, y) => x < y,
  false,
  isBelow,
  (x, y) => isNotAbove(y, x),
)
export const lessEqual = comparison(
  (x, y) => x <= y,
  true,
  isNotAbove,
  (x, y) => isBelow(y, x),
)
export const equal = comparison(
  (x, y) => x === y,
  true,
  () => false,
  (x, y) => isBelow(x, y) || isBelow(y, x),
)

export const and = (x: Bounded, y: Bounded): Bounded =>
  [x, y].some((side) => isCertain(side) && side.value === 0)
    ? surely(false)
    : isCertain(x) && isCertain(y)
      ? surely(true)
      : unsure(x.value !== 0 && y.value !== 0)

export const not = ({ value, error }: Bounded): Bounded => ({ value: 1 - value, error })

export const or = (x: Bounded, y: Bounded): Bounded => not(and(not(x), not(y)))

/** One branch where the condition is decided; else whatever either of them may be. */
export const select = (condition: Bounded, x: Bounded, y: Bounded): Bounded => {
  const [taken, other] = condition.value === 0 ? [y, x] : [x, y]
  return isCertain(condition) ? taken : eitherOf(taken, other)
}

/** NaN is not 0. */
export const toBool = (x: Bounded): Bounded => {
  if (isCertain(x)) return surely(x.value !== 0)
  return mayBeAnything(x) || mayBeZero(x) ? unsure(x.value !== 0) : surely(true)
}

/** The smaller or the greater: that operand itself where it is decided. */
const extreme =
  (pick: (x: number, y: number) => number, wins: (x: Bounded, y: Bounded) => boolean) =>
  (x: Bounded, y: Bounded): Bounded => {
    if (isNaNForSure(x) || isNaNForSure(y)) return exactly(NaN)
    if (mayBeAnything(x) || mayBeAnything(y)) return anything(pick(x.value, y.value))
    if (x === y || wins(x, y)) return x
    return wins(y, x) ? y : monotone(pick, 0)(x, y)
  }

export const smaller = extreme(Math.min, isNotAbove)
export const greater = extreme(Math.max, (x, y) => isNotAbove(y, x))

/** Which comes before: certain where the two lie apart, or are the same, and so stay in their order. */
const surelyBefore = (x: Bounded, y: Bounded, inOrder: boolean): boolean => {
  if (isCertain(x) && isCertain(y)) return compareNumbers(x.value, y.value) < 0 || (inOrder && compareNumbers(x.value, y.value) === 0)
  if (isNaNForSure(y)) return !mayBeAnything(x)
  if (isNaNForSure(x) || mayBeAnything(x) || mayBeAnything(y)) return false
  return isBelow(x, y) || (inOrder && (x === y || isNotAbove(x, y)))
}

/** The places in order: certain where all the others surely come before or behind. */
export const argSorted = (terms: readonly Bounded[], order: Order): readonly Bounded[] => {
  const places = float64.argSort(
    terms.map(({ value }) => value),
    order,
  )
  const before = (i: number, j: number): boolean =>
    order === 'ascending' ? surelyBefore(terms[i]!, terms[j]!, i < j) : surelyBefore(terms[j]!, terms[i]!, j > i)
  return places.map((place) =>
    terms.every((_, other) => other === place || before(other, place) || before(place, other))
      ? exactly(place)
      : { value: place, error: Math.max(1, terms.length) },
  )
}

/** Which is the greatest: certain where it is not below any before it that is another element, and above or the same as all behind it. */
export const argGreatest = (terms: readonly Bounded[]): Bounded => {
  const unknown = terms.findIndex((x) => Number.isNaN(x.value))
  const place = unknown >= 0 ? unknown : terms.reduce((best, x, i) => (x.value > terms[best]!.value ? i : best), 0)
  const best = terms[place]
  const beats = (x: Bounded, i: number): boolean => i === place || (i < place ? isBelow(x, best!) : x === best || isNotAbove(x, best!))
  const isSure = terms.every(isCertain) || (!terms.some(mayBeAnything) && !isNaNForSure(best!) && terms.every(beats))
  return isSure ? exactly(place) : { value: place, error: Math.max(1, terms.length) }
}
