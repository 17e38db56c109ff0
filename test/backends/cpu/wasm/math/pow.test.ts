import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../../../law.js'
import { math } from './called.js'
import { anyFloat, isNear, rounded, special } from './float32.js'

/** C's pow from JavaScript's. */
const pow = (x: number, y: number): number => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y)

describe('pow', () => {
  test.each(special)('of %d to all special values is that of C', (x) => {
    expect(special.filter((y) => !isNear(math.pow(x, y), pow(x, y), rounded))).toEqual([])
  })

  test.each([
    [NaN, 0, 1],
    [1, NaN, 1],
    [-1, Infinity, 1],
    [-1, -Infinity, 1],
    [-0, -3, -Infinity],
    [-0, 0.5, 0],
    [-Infinity, 0.5, Infinity],
    [-Infinity, -3, -0],
    [-2, 0.5, NaN],
    [-2, 3, -8],
  ])('pow(%d, %d) is %d', (x, y, result) => {
    expect(math.pow(x, y)).toBe(result)
  })

  law(
    'pow of any two float32 is the nearest float32',
    fc.property(anyFloat, anyFloat, (x, y) => isNear(math.pow(x, y), pow(x, y), rounded)),
    { runs: 10_000 },
  )

  law(
    'pow of numbers whose power is in range is the nearest float32',
    fc.property(fc.float({ min: Math.fround(-2), max: 2, noNaN: true }), fc.float({ min: -126, max: 126, noNaN: true }), (e, y) => {
      const x = Math.fround(2 ** e)
      return isNear(math.pow(x, y), pow(x, y), rounded)
    }),
    { runs: 10_000 },
  )

  law(
    'pow of a negative number to a whole power is the nearest float32',
    fc.property(fc.float({ min: -100, max: Math.fround(-0.01), noNaN: true }), fc.integer({ min: -30, max: 30 }), (x, y) =>
      isNear(math.pow(x, y), pow(x, y), rounded),
    ),
    { runs: 1000 },
  )
})
