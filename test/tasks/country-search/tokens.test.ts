import { expect, test } from 'vitest'
import { tokenUse } from '../../../scripts/search-tokens.js'
import { bases } from './worlds.js'

// Measured by the prototype of the task; ours has a few facts more.
test.each([
  [1, 2.5, 99, 53, 104, 63],
  [2, 4.1, 221, 68, 304, 121],
  [3, 5.6, 362, 83, 569, 174],
  [4, 6.7, 500, 98, 840, 215],
  [8, 13.2, 1523, 161, 3245, 445],
])(
  'the oracle takes about as many turns and tokens for %d objectives as the prototype',
  async (objectives, turns, total, peak, fullTotal, fullPeak) => {
    const [memory, full] = [
      await tokenUse(bases.countries, 'memory', objectives, 64),
      await tokenUse(bases.countries, 'full', objectives, 64),
    ]
    const near = (measured: number, expected: number): boolean => Math.abs(measured / expected - 1) < 0.15
    expect([near(memory.turns, turns), near(full.turns, turns)]).toEqual([true, true])
    expect([near(memory.total, total), near(memory.peak, peak)]).toEqual([true, true])
    expect([near(full.total, fullTotal), near(full.peak, fullPeak)]).toEqual([true, true])
  },
)
