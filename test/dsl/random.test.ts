import fc from 'fast-check'
import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { expect, test } from 'vitest'
import { bits, choose, fold, integer, key, normal, permutation, threefry, uniform } from '../../dsl/random.js'
import type { Words } from '../../dsl/random.js'
import { law } from '../law.js'

const anySeed = fc.maxSafeInteger()
const anyKey = anySeed.map(key)
const anyIndex = fc.maxSafeNat()
const anyWord = fc.integer({ min: 0, max: 0xffffffff })
const anyWords = fc.tuple(anyWord, anyWord)

const hex = ([x0, x1]: Words): string => [x0, x1].map((word) => word.toString(16).padStart(8, '0')).join(' ')
const isWord = (x: number): boolean => Number.isInteger(x) && x >= 0 && x <= 0xffffffff
const upTo = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

// Random123's kat_vectors, threefry2x32 with 20 rounds.
test.each<[Words, Words, string]>([
  [[0, 0], [0, 0], '6b200159 99ba4efe'],
  [[0xffffffff, 0xffffffff], [0xffffffff, 0xffffffff], '1cb996fc bb002be7'],
  [[0x13198a2e, 0x03707344], [0x243f6a88, 0x85a308d3], 'c4923a9c 483df7a0'],
])('threefry agrees with the published vector of key %j, counter %j', (k, counter, expected) => {
  expect(hex(threefry(k, counter))).toBe(expected)
})

/** The same cipher over bigints, written from the paper: the schedule by its index instead of by a table. */
const threefryOfBigints = (k: Words, counter: Words): Words => {
  const mask = 0xffffffffn
  const rotations = [13n, 15n, 26n, 6n, 17n, 29n, 16n, 24n]
  const [k0, k1] = [BigInt(k[0]), BigInt(k[1])]
  const schedule = [k0, k1, k0 ^ k1 ^ 0x1bd11bdan]
  let [x0, x1] = [(BigInt(counter[0]) + k0) & mask, (BigInt(counter[1]) + k1) & mask]
  for (let round = 0; round < 20; round++) {
    x0 = (x0 + x1) & mask
    x1 = (((x1 << rotations[round % 8]!) | (x1 >> (32n - rotations[round % 8]!))) & mask) ^ x0
    if (round % 4 !== 3) continue
    const s = (round + 1) / 4
    x0 = (x0 + schedule[s % 3]!) & mask
    x1 = (x1 + schedule[(s + 1) % 3]! + BigInt(s)) & mask
  }
  return [Number(x0), Number(x1)]
}

law(
  'threefry is the published cipher at every key and counter',
  fc.property(anyWords, anyWords, (k, counter) => {
    expect(threefry(k, counter)).toEqual(threefryOfBigints(k, counter))
  }),
)

law(
  'different seeds have different keys, of two u32 words',
  fc.property(anySeed, anySeed, (x, y) => {
    expect(key(x).every(isWord)).toBe(true)
    expect(hex(key(x)) === hex(key(y))).toBe(x === y)
  }),
)

law(
  'different folds of a key are different keys',
  fc.property(anyKey, anyIndex, anyIndex, (k, m, n) => {
    expect(fold(k, m).every(isWord)).toBe(true)
    expect(hex(fold(k, m)) === hex(fold(k, n))).toBe(m === n)
  }),
)

law(
  'a draw is word 0 of its counter, and a fold sets the top bit of its own',
  fc.property(anyKey, anyIndex, (k, i) => {
    const [low, high] = [i % 2 ** 32, Math.floor(i / 2 ** 32)]
    expect(bits(k, i)).toBe(threefry(k, [low, high])[0])
    expect(fold(k, i)).toEqual(threefry(k, [low, high + 2 ** 31]))
  }),
)

law(
  'a uniform draw is a multiple of 2⁻²⁴ in [0, 1), unchanged by rounding to f32',
  fc.property(anyKey, anyIndex, (k, i) => {
    const u = uniform(k, i)
    expect(u >= 0 && u < 1 && Number.isInteger(u * 2 ** 24)).toBe(true)
    expect(Math.fround(u)).toBe(u)
  }),
)

law(
  'an integer draw is a whole number in [0, n)',
  fc.property(anyKey, anyIndex, fc.integer({ min: 1, max: 2 ** 32 }), (k, i, n) => {
    const drawn = integer(k, i, n)
    expect(Number.isInteger(drawn) && drawn >= 0 && drawn < n).toBe(true)
  }),
)

law(
  'a normal draw is finite and at most √(48 ln 2) from 0',
  fc.property(anyKey, fc.nat(), (k, i) => {
    expect(Math.abs(normal(k, i))).toBeLessThanOrEqual(Math.sqrt(48 * Math.LN2))
  }),
)

law(
  'a permutation holds each of 0 … n − 1 once, and the same key gives the same one',
  fc.property(anyKey, fc.nat({ max: 200 }), (k, n) => {
    expect(permutation(k, n).toSorted((x, y) => x - y)).toEqual(upTo(n))
    expect(permutation(k, n)).toEqual(permutation(k, n))
  }),
)

law(
  'a choice is the element at the integer draw of the same key and index',
  fc.property(anyKey, anyIndex, fc.array(fc.string(), { minLength: 1 }), (k, i, list) => {
    expect(choose(k, i, list as unknown as ReadonlyNonEmptyArray<string>)).toBe(list[integer(k, i, list.length)])
  }),
)

// ── distributions, at one seed: the draws never change, so a bound that holds once holds always ──

const mean = (xs: readonly number[]): number => xs.reduce((total, x) => total + x, 0) / xs.length
const moment = (xs: readonly number[], power: number): number => mean(xs.map((x) => x ** power))
const count = 100_000

test('100,000 uniform draws have the mean and the variance of [0, 1), within 4 standard errors', () => {
  const draws = upTo(count).map((i) => uniform(key(1), i))
  expect(Math.abs(mean(draws) - 1 / 2)).toBeLessThan(4 * Math.sqrt(1 / 12 / count))
  expect(Math.abs(moment(draws, 2) - 1 / 3)).toBeLessThan(4 * Math.sqrt(4 / 45 / count))
})

test('100,000 normal draws have the first four moments of N(0, 1), within 4 standard errors', () => {
  const draws = upTo(count).map((i) => normal(key(2), i))
  const expected = [0, 1, 0, 3]
  const variances = [1, 2, 15, 96]
  for (const [at, value] of expected.entries())
    expect(Math.abs(moment(draws, at + 1) - value)).toBeLessThan(4 * Math.sqrt(variances[at]! / count))
})

const chiSquare = (cells: readonly number[], n: number): number => {
  const tally = new Map<number, number>()
  for (const cell of cells) tally.set(cell, (tally.get(cell) ?? 0) + 1)
  const expected = cells.length / n
  return upTo(n).reduce((total, cell) => total + ((tally.get(cell) ?? 0) - expected) ** 2 / expected, 0)
}

// χ² with n − 1 degrees of freedom has mean n − 1 and variance 2(n − 1).
const expectEven = (cells: readonly number[], n: number): void => {
  expect(Math.abs(chiSquare(cells, n) - (n - 1))).toBeLessThan(4 * Math.sqrt(2 * (n - 1)))
}

test('integer draws fall evenly on 0 … n − 1', () => {
  for (const n of [2, 3, 10, 97, 256])
    expectEven(
      upTo(count).map((i) => integer(key(3), i, n)),
      n,
    )
})

test('the 24 orders of 4 things are equally likely', () => {
  const ranks = upTo(count / 4).map((i) => {
    const [a, b, c] = permutation(fold(key(4), i), 4) as readonly [number, number, number, number]
    return a * 6 + (b - Number(b > a)) * 2 + Number(c > 6 - a - b - c)
  })
  expectEven(ranks, 24)
})

test('neighbouring draws, and the same draw of neighbouring folds, are independent in their low bits', () => {
  expectEven(
    upTo(count / 2).map((i) => integer(key(5), 2 * i, 8) * 8 + integer(key(5), 2 * i + 1, 8)),
    64,
  )
  expectEven(
    upTo(count / 2).map((i) => integer(fold(key(6), 2 * i), 0, 8) * 8 + integer(fold(key(6), 2 * i + 1), 0, 8)),
    64,
  )
})
