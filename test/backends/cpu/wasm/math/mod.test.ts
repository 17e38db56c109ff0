import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { law } from '../../../../law.js'
import { math } from './called.js'
import { anyFloat, special } from './float32.js'

/** Python's, from JavaScript's: what is not 0 has the sign of y. */
const mod = (x: number, y: number): number => {
  const rest = x % y
  return Math.fround(rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest)
}

describe('mod', () => {
  test.each(special)('of %d by all special values is the remainder', (x) => {
    expect(special.filter((y) => !Object.is(math.mod(x, y), mod(x, y)))).toEqual([])
  })

  law(
    'mod of any two float32 is the remainder, to the bit',
    fc.property(anyFloat, anyFloat, (x, y) => Object.is(math.mod(x, y), mod(x, y))),
    { runs: 10_000 },
  )
})
