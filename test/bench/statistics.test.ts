import { expect, test } from 'vitest'
import { exponent, spread } from '../../bench/peers/statistics.js'

test('the spread is half the middle half by the median', () => {
  expect(spread([5, 1, 4, 2, 3])).toBeCloseTo(1 / 3, 12)
  expect(spread([7])).toBe(0)
})

test('the exponent of c·xᵖ is p', () => {
  expect(exponent([8, 16, 32, 64].map((x) => [x, 3 * x ** 1.5]))).toBeCloseTo(1.5, 12)
})
