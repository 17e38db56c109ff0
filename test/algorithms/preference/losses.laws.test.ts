import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { aotLoss } from '../../../algorithms/index.js'
import { law } from '../../law.js'
import { close } from '../batches.js'
import { losses } from './losses.js'
import { anyPairs, type Loss, lossAndGrad, padded, type Pairs, type Responses, takePairs } from './pairs.js'

const lost = (loss: Loss, pairs: Pairs): number => lossAndGrad(loss)(pairs).value

/** Each run traces and differentiates a loss of its own. */
const few = { runs: 60 }

// What each loss declares, its masks and its gradient: catalogue.laws.test.ts.
describe('preference losses', () => {
  law(
    'padding changes nothing: columns on either side, and rows without a token',
    fc.property(
      anyPairs,
      fc.constantFrom(...Object.keys(losses)),
      fc.record({ before: fc.integer({ min: 0, max: 2 }), behind: fc.integer({ min: 0, max: 2 }) }),
      fc.constantFrom(NaN, Infinity, -1),
      (pairs, name, sides, filler) => close(lost(losses[name]!, padded(filler, sides)(pairs)), lost(losses[name]!, pairs)),
    ),
    few,
  )

  test.each(['margins', 'responses'] as const)('AOT of sorted %s of micro-batches is another loss than of the batch', (sorted) => {
    // The policy likes one pair's chosen response less than the rejected, the other pair's more; the reference the other way about.
    const response = (policy: readonly number[], reference: readonly number[]): Responses => ({
      logProbs: policy.map((x) => [x]),
      refLogProbs: reference.map((x) => [x]),
      responseMask: [[1], [1]],
    })
    const pairs: Pairs = { chosen: response([-3, -1], [-1, -3]), rejected: response([-1, -3], [-3, -1]), weights: [1, 1] }
    const loss: Loss = ({ chosen, rejected }) => aotLoss({ beta: 0.4, sorted, smoothing: 0.1, across: 2 })({ chosen, rejected })
    const of = (places: readonly number[]): number => lost(loss, takePairs(places)(pairs))
    expect(of([0, 1])).toBeCloseTo(Math.LN2, 12)
    expect(of([0]) + of([1])).toBeGreaterThan(Math.LN2 + 0.1)
  })
})
