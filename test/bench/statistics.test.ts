import { expect, test } from 'vitest'
import { exponent, geometricMean, median, quantile, spread } from '../../bench/peers/statistics.js'

test('a quantile lies between its neighbours in proportion, in whatever order they came', () => {
  expect(median([5, 1, 3])).toBe(3)
  expect(median([4, 1, 3, 2])).toBe(2.5)
  expect(quantile([3, 1, 2], 0.25)).toBe(1.5)
  expect(quantile([7], 0.9)).toBe(7)
})

test('the spread is half the middle half by the median', () => {
  expect(spread([1, 2, 3, 4, 5])).toBeCloseTo(1 / 3, 12)
  expect(spread([7])).toBe(0)
})

test('the exponent of c·xᵖ is p', () => {
  expect(exponent([8, 16, 32, 64].map((x) => [x, 3 * x ** 1.5]))).toBeCloseTo(1.5, 12)
})

test('the geometric mean of a number and its inverse is 1', () => {
  expect(geometricMean([8, 1 / 8])).toBeCloseTo(1, 12)
})
