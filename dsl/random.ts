/*
 * The one source of chance: a value is a function of (key, index), so there is no state to save, and any order of evaluation gives the same bits.
 *
 *   block(key, counter)  Threefry-2x32, 20 rounds: two u32 in, two u32 out
 *   counter of draw i    [i mod 2³², ⌊i / 2³²⌋]          word 0 of the block is the draw, word 1 is not used
 *   counter of fold n    [n mod 2³², ⌊n / 2³²⌋ + 2³¹]    both words are the new key; the top bit keeps folds apart from draws
 *
 * Element i of a device's `randomBits(key, axes)`, counted in row-major order, is draw i. Every kind of draw reads the same
 * bits (`uniform(key, 3)` and `integer(key, 3, n)` are not independent), so a key serves one purpose: `fold` it for the next.
 */
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'

/** Two words, each a whole number from 0 to 2³² − 1. */
export type Words = readonly [number, number]
export type Key = Words

const evenRotations = [13, 15, 26, 6] as const
const oddRotations = [17, 29, 16, 24] as const

const rotateLeft = (x: number, by: number): number => (x << by) | (x >>> (32 - by))

/**
 * Threefry-2x32 with 20 rounds: a bijection of the counters for each key.
 *
 *   k₂ = k₀ ⊕ k₁ ⊕ 1bd11bda;  x = counter + (k₀, k₁);  a round is x₀ += x₁, x₁ = (x₁ ⋘ r) ⊕ x₀;
 *   after rounds 4s, s = 1 … 5:  x += (k[s mod 3], k[(s + 1) mod 3] + s)
 *
 * Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11.
 */
export const threefry = ([k0, k1]: Key, [c0, c1]: Words): Words => {
  const k2 = k0 ^ k1 ^ 0x1bd11bda
  const groups = [
    [evenRotations, k1, k2 + 1],
    [oddRotations, k2, k0 + 2],
    [evenRotations, k0, k1 + 3],
    [oddRotations, k1, k2 + 4],
    [evenRotations, k2, k0 + 5],
  ] as const
  let x0 = (c0 + k0) | 0
  let x1 = (c1 + k1) | 0
  for (const [rotations, inject0, inject1] of groups) {
    for (const rotation of rotations) {
      x0 = (x0 + x1) | 0
      x1 = rotateLeft(x1, rotation) ^ x0
    }
    x0 = (x0 + inject0) | 0
    x1 = (x1 + inject1) | 0
  }
  return [x0 >>> 0, x1 >>> 0]
}

const lowWord = (n: number): number => n >>> 0
const highWord = (n: number): number => Math.floor(n / 2 ** 32) >>> 0

/** The key of a seed, in two's complement: every whole number within ±(2⁵³ − 1) has its own. */
export const key = (seed: number): Key => [lowWord(seed), highWord(seed)]

/** The n-th key derived from a key, for whole n from 0 to 2⁵³ − 1: a stream, a step or a row of its own, disjoint from the key's draws. */
export const fold = (from: Key, n: number): Key => threefry(from, [lowWord(n), (highWord(n) | 0x80000000) >>> 0])

/** Draw i of a key, for whole i from 0 to 2⁵³ − 1: a u32. */
export const bits = (from: Key, i: number): number => threefry(from, [lowWord(i), highWord(i)])[0]

/** A number in [0, 1): ⌊bits / 2⁸⌋ · 2⁻²⁴, so exact in f32 and never rounded up to 1. */
export const uniform = (from: Key, i: number): number => (bits(from, i) >>> 8) * 2 ** -24

/**
 * A whole number in [0, n): bits mod n, for whole n from 1 to 2³².
 * Each value's probability is within 2⁻³² of 1/n (a relative error below n · 2⁻³²), and equal to it where n is a power of two.
 * A rejection would be exact, but then the number of bits read would depend on the bits.
 */
export const integer = (from: Key, i: number, n: number): number => bits(from, i) % n

/**
 * A standard normal number by Box and Muller: √(−2 ln(1 − u)) · cos(2πv), with u, v the uniform draws 2i and 2i + 1.
 * On a device that is `randomBits` over the axes and one more, innermost, of size 2; the bits are equal, the values up to rounding.
 * |z| ≤ √(48 ln 2) ≈ 5.77, as u has 24 bits; whole i from 0 to 2⁵² − 1.
 */
export const normal = (from: Key, i: number): number =>
  Math.sqrt(-2 * Math.log1p(-uniform(from, 2 * i))) * Math.cos(2 * Math.PI * uniform(from, 2 * i + 1))

/** The numbers 0 … n − 1 in a random order, by Fisher and Yates with draws 1 … n − 1 of the key; as nearly unbiased as `integer`. */
export const permutation = (from: Key, n: number): readonly number[] => {
  const order = Array.from({ length: n }, (_, i) => i)
  for (let last = n - 1; last > 0; last--) {
    const other = integer(from, last, last + 1)
    const moved = at(order, last)
    order[last] = at(order, other)
    order[other] = moved
  }
  return order
}

/** The element of a list at `integer(key, i, length)`: draw i, with replacement. */
export const choose = <T>(from: Key, i: number, list: ReadonlyNonEmptyArray<T>): T => at(list, integer(from, i, list.length))

/** `list[i]` for an i that is known to be in range. The cast leaves room for lists whose elements may be undefined. */
const at = <T>(list: readonly T[], i: number): T => list[i] as T
