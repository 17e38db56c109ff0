import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ktoBaseline, type KtoConfig, ktoLoss } from '../../../algorithms/index.js'
import { greater, program } from '../../../dsl/index.js'
import { evaluate } from '../../../backends/cpu/evaluate.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { allZero, close } from '../batches.js'
import { anyPairs, lossAndGrad, type Pairs, pairSpec, pairValues, takePairs } from './pairs.js'
import { kept, mean, sigmoid, total } from './plain.js'

/** Of some pairs, the chosen responses as those that are judged, good where the weight is above 1, and the rejected as the mismatched ones. */
const kto =
  (config: KtoConfig) =>
  (pairs: Pairs): ReturnType<ReturnType<typeof lossAndGrad>> =>
    lossAndGrad(({ chosen, rejected, weights }) =>
      ktoLoss(config)({ ...chosen, desirable: greater(weights, 1), baseline: ktoBaseline(rejected) }),
    )(pairs)

/** Σ log π − log π_ref of each row that has a token, with its place. */
const ratiosOf = ({ logProbs, refLogProbs, responseMask }: Pairs['chosen']): readonly { readonly b: number; readonly ratio: number }[] =>
  [...responseMask.keys()]
    .filter((b) => responseMask[b]!.includes(1))
    .map((b) => ({ b, ratio: total(kept(logProbs[b]!, responseMask[b]!)) - total(kept(refLogProbs[b]!, responseMask[b]!)) }))

const baselineOf = ({ rejected }: Pairs): number => Math.max(0, mean(ratiosOf(rejected).map(({ ratio }) => ratio)))

const few = { runs: 40 }

describe('KTO', () => {
  law(
    'is λ − v of each response, with z₀ from the mismatched ones',
    fc.property(anyPairs, (pairs) => {
      const z0 = baselineOf(pairs)
      const values = ratiosOf(pairs.chosen).map(({ b, ratio }) =>
        pairs.weights[b]! > 1 ? 1.3 - 1.3 * sigmoid(0.2 * (ratio - z0)) : 0.7 - 0.7 * sigmoid(0.2 * (z0 - ratio)),
      )
      return close(kto({ beta: 0.2, desirableWeight: 1.3, undesirableWeight: 0.7 })(pairs).value, mean(values))
    }),
    few,
  )

  law(
    'passes no gradient through its baseline, nor does the baseline alone',
    fc.property(anyPairs, (pairs) =>
      [kto({ beta: 0.2 })(pairs), lossAndGrad(({ rejected }) => ktoBaseline(rejected))(pairs)].every(
        ({ grad }) => allZero(grad.rejected.logProbs) && allZero(grad.rejected.refLogProbs),
      ),
    ),
    few,
  )

  const response = (...logProbs: readonly number[]): Pairs['chosen'] => ({
    logProbs: logProbs.map((x) => [x]),
    refLogProbs: logProbs.map(() => [-5]),
    responseMask: logProbs.map(() => [1]),
  })

  test('of a good response with log-ratio log 3 over its baseline loses ¼, and of a bad one ¾', () => {
    const at = (weight: number): number =>
      kto({ beta: 1 })({ chosen: response(-5 + Math.log(3)), rejected: response(-6), weights: [weight] }).value
    expect(at(2)).toBeCloseTo(1 / 4, 14)
    expect(at(0.5)).toBeCloseTo(3 / 4, 14)
  })

  test('has a baseline of the mean log-ratio, and 0 where that is below', () => {
    const of = (...logProbs: readonly number[]): number => {
      const pairs = { chosen: response(...logProbs), rejected: response(...logProbs), weights: logProbs }
      const made = program({ inputs: pairSpec, body: ({ rejected }) => ({ outputs: { z0: ktoBaseline(rejected) } }) })
      return right(evaluate(made, pairValues(pairs))).outputs.z0.data[0]!
    }
    expect(of(-4, -2)).toBe(2)
    expect(of(-6, -5)).toBe(0)
  })

  test('with a baseline of its own batch, of micro-batches is another loss than of the batch', () => {
    const pairs: Pairs = { chosen: response(-5, -5), rejected: response(-1, -5), weights: [2, 2] }
    const of = (places: readonly number[]): number => kto({ beta: 1, across: 2 })(takePairs(places)(pairs)).value
    expect(of([0]) + of([1])).toBeCloseTo((sigmoid(4) + sigmoid(0)) / 2, 12)
    expect(of([0, 1])).toBeCloseTo(sigmoid(2), 12)
  })
})
