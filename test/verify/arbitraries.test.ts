import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countOf } from '../../dsl/index.js'
import { axes, axisSizes, type Elements, ids, inOneOf, logProbs, masks, numbers, oneHots, tensors, ties } from '../../verify/index.js'
import { law } from '../law.js'

const sizes = fc.array(fc.constantFrom(0, 1, 2, 3, 5), { maxLength: 3 })

const drawn = (elements: Elements, own: readonly number[], runs = 300) => fc.sample(elements(own), { seed: 1, numRuns: runs })

const rowsOf = (data: readonly number[], n: number) =>
  Array.from({ length: data.length / n }, (_, i) => data.slice(i * n, (i + 1) * n).join(''))

const within: Readonly<Record<string, readonly [elements: Elements, may: (x: number) => boolean]>> = {
  'numbers lie in their range': [numbers(-0.5, 3), (x) => x >= -0.5 && x <= 3],
  'so they do where no multiple of 1/64 does': [numbers(0.001, 0.002), (x) => x >= 0.001 && x <= 0.002],
  'ties are at either end or in the middle': [ties(-1, 3), (x) => [-1, 1, 3].includes(x)],
  'log-probabilities are at most 0': [logProbs, (x) => x <= 0 && x >= -8],
  'ids point into their axis': [ids(4), (x) => Number.isInteger(x) && x >= 0 && x < 4],
  'masks are 0 or 1': [masks, (x) => x === 0 || x === 1],
  'what is drawn in one of several manners is drawn in each': [inOneOf(numbers(0, 1), ids(9)), (x) => x >= 0 && x <= 8],
}

describe('of any sizes, empty ones and none too', () => {
  for (const [sentence, [elements, may]] of Object.entries(within))
    law(
      sentence,
      fc.property(
        sizes.chain((own) => tensors(elements)(own)),
        ({ sizes: own, data }) => data.length === countOf(own) && Array.from(data).every(may),
      ),
    )

  law(
    'a row of a one-hot has one 1',
    fc.property(
      sizes.filter((own) => own.at(-1) !== 0 && own.length > 0).chain((own) => tensors(oneHots)(own)),
      ({ sizes: own, data }) => rowsOf(Array.from(data), own.at(-1)!).every((row) => /^0*10*$/.test(row)),
    ),
  )

  law(
    'axes are some of those named, each once',
    fc.property(
      axes(['batch', 'time', 'embed'], axisSizes),
      (own) => own.length > 0 && new Set(own.map(({ name }) => name)).size === own.length && own.every(({ size }) => size > 0),
    ),
  )
})

describe('among 300 there are', () => {
  test.each([
    ['masks that are all true', masks, (data) => !data.includes(0)],
    ['masks that are all false', masks, (data) => !data.includes(1)],
    ['masks with a row all false beside one that is not', masks, (data) => rowsOf(data, 3).includes('000') && data.includes(1)],
    ['masks of answers: true from the first token on, of several lengths', masks, (data) => rowsOf(data, 3).join() === '110,100'],
    ['log-probabilities of which some are 0, some not', logProbs, (data) => data.includes(0) && data.some((x) => x < 0)],
    ['ties', ties(0, 1), (data) => new Set(data).size < data.length && new Set(data).size > 1],
  ] as readonly (readonly [string, Elements, (data: readonly number[]) => boolean])[])('%s', (_, elements, some) =>
    expect(drawn(elements, [2, 3]).filter(some).length).toBeGreaterThan(0),
  )
})

test('numbers shrink to the one nearest 0', () => {
  const smallest = (low: number, high: number) =>
    fc.check(fc.property(numbers(low, high)([1]), () => false), { seed: 1 }).counterexample?.[0] // prettier-ignore
  expect(smallest(-3, 3)).toEqual([0])
  expect(smallest(0.26, 3)).toEqual([17 / 64])
  expect(smallest(-3, -1)).toEqual([-1])
})
