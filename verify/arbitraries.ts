/**
 * What losses are given, to be generated with fast-check: `checkGradient` draws from these, and a property of one's own may. They shrink
 * to small sizes, to few tokens, and to numbers near 0 that can be read.
 */
import fc from 'fast-check'
import { countOf, type Value } from '../dsl/index.js'

/** How a tensor's elements are drawn once its sizes are known: row-major, the rows along the last axis. */
export type Elements = (sizes: readonly number[]) => fc.Arbitrary<readonly number[]>

/** A tensor's values: its sizes, and elements drawn so. */
export const tensors =
  (elements: Elements) =>
  (sizes: readonly number[]): fc.Arbitrary<Value> =>
    elements(sizes).map((data) => ({ sizes, data }))

/** In one of these manners: all elements of a tensor in the same. */
export const inOneOf =
  (...manners: readonly Elements[]): Elements =>
  (sizes) =>
    fc.oneof(...manners.map((elements) => elements(sizes)))

/** Each element for itself. */
export const each =
  (element: fc.Arbitrary<number>): Elements =>
  (sizes) =>
    fc.array(element, { minLength: countOf(sizes), maxLength: countOf(sizes) })

/** Multiples of 1/64 in [low, high] that shrink to the one nearest 0; any number in between where there is no such multiple, or too many. */
export const numbers = (low: number, high: number): Elements => {
  const [from, to] = [Math.ceil(low * 64), Math.floor(high * 64)]
  const countable = from <= to && from > -(2 ** 31) && to < 2 ** 31
  return each(
    countable
      ? fc.integer({ min: from, max: to }).map((n) => n / 64)
      : fc.double({ min: low, max: high, noNaN: true, noDefaultInfinity: true }),
  )
}

/** The ends of [low, high] and its middle: so few that many elements are equal, and some lie at a bound. */
export const ties = (low: number, high: number): Elements => each(fc.constantFrom(low, high, (low + high) / 2))

/** Log-probabilities of tokens, in nats: from −8 to 0, each for itself; some are 0, of tokens that were certain. */
export const logProbs: Elements = inOneOf(numbers(-8, 0), ties(-2, 0))

/** Places along an axis of `size`, as ids of tokens and for `gather`: 0 to size − 1. */
export const ids = (size: number): Elements => each(fc.integer({ min: 0, max: Math.max(0, size - 1) }))

/** A row of n: its first elements true, as many as there may be, none included. */
const prefix = (n: number): fc.Arbitrary<readonly number[]> =>
  fc.nat(n).map((length) => Array.from({ length: n }, (_, i) => (i < length ? 1 : 0)))

const some = (n: number): fc.Arbitrary<readonly number[]> => fc.array(fc.constantFrom(0, 1), { minLength: n, maxLength: n })

const rows =
  (row: (n: number) => fc.Arbitrary<readonly number[]>): Elements =>
  (sizes) => {
    const [n, count] = [sizes.at(-1) ?? 1, countOf(sizes.slice(0, -1))]
    return fc.array(row(n), { minLength: count, maxLength: count }).map((all) => all.flat())
  }

/** Rows of zeros with one 1 in each: targets along the last axis. */
export const oneHots: Elements = rows((n) =>
  fc.nat(Math.max(0, n - 1)).map((hot) => Array.from({ length: n }, (_, i) => (i === hot ? 1 : 0))),
)

/**
 * Masks, as 0 and 1: all true, none, each element for itself, or row by row. The rows along the last axis are those of a batch: answers of
 * several lengths behind each other's padding, some rows without one true element.
 */
export const masks: Elements = inOneOf(
  rows(some),
  rows((n) => fc.oneof(prefix(n), some(n), fc.constant(Array.from({ length: n }, () => 0)))),
  (sizes) => fc.constant(Array.from({ length: countOf(sizes) }, () => 1)),
  (sizes) => fc.constant(Array.from({ length: countOf(sizes) }, () => 0)),
)

/** Sizes of an axis: small, and often such that something is alone. */
export const axisSizes: fc.Arbitrary<number> = fc.constantFrom(2, 1, 3, 5)

/** Some of these axes, at least one, in any order, each with a size: what a function that is generic in its axes is given. */
export const axes = <A extends string>(
  names: readonly A[],
  size: fc.Arbitrary<number> = axisSizes,
): fc.Arbitrary<readonly { readonly name: A; readonly size: number }[]> =>
  fc
    .shuffledSubarray([...names], { minLength: Math.min(1, names.length) })
    .chain((chosen) => fc.tuple(...chosen.map((name) => size.map((n) => ({ name, size: n })))))
