import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe } from 'vitest'
import { dpoLoss, preferenceMetrics, weightedLosses, wpoWeights } from '../../../algorithms/index.js'
import { exp, f32, sum } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { allZero, close, run } from '../batches.js'
import { anyPairs, lossAndGrad, type Pairs, pairSpec, pairValues, policyGradients } from './pairs.js'
import { kept, mean, pairPlaces, ratiosOf, total } from './plain.js'

const few = { runs: 30 }

describe('around a preference loss', () => {
  law(
    'metrics are the means of rewards and log-probabilities, whatever the loss',
    fc.property(anyPairs, (pairs) => {
      const { metrics } = run(pairSpec, pairValues(pairs), ({ chosen, rejected }) => ({
        metrics: { ...preferenceMetrics({ beta: 0.2 })({ chosen, rejected }) },
      }))
      const ratios = ratiosOf(pairs)
      const logProbs = (side: 'chosen' | 'rejected'): number =>
        mean(pairPlaces(pairs).map((b) => total(kept(pairs[side].logProbs[b]!, pairs[side].responseMask[b]!))))
      return (
        close(metrics.chosenReward.data[0]!, 0.2 * mean(ratios.map(({ c }) => c))) &&
        close(metrics.rejectedReward.data[0]!, 0.2 * mean(ratios.map(({ r }) => r))) &&
        close(metrics.margin.data[0]!, 0.2 * mean(ratios.map(({ c, r }) => c - r))) &&
        close(metrics.accuracy.data[0]!, mean(ratios.map(({ c, r }) => (c > r ? 1 : 0)))) &&
        close(metrics.chosenLogProb.data[0]!, logProbs('chosen')) &&
        close(metrics.rejectedLogProb.data[0]!, logProbs('rejected'))
      )
    }),
    few,
  )

  law(
    'WPO weighs a pair by e to the mean of log π − log Σ π² of both responses',
    fc.property(anyPairs, fc.constantFrom(0.05, 0.4, 1), (pairs, collision) => {
      const collisions = {
        sizes: [pairs.weights.length, pairs.chosen.logProbs[0]!.length],
        data: pairs.chosen.logProbs.flat().map(() => collision),
      }
      const { weights } = run({ ...pairSpec, collisions: f32('batch', 'time') }, { ...pairValues(pairs), collisions }, (given) => ({
        weights: wpoWeights({
          chosen: { ...given.chosen, collisions: given.collisions },
          rejected: { ...given.rejected, collisions: given.collisions },
        }),
      }))
      return pairs.weights.every((_, b) => {
        const alignment = ({ logProbs, responseMask }: Pairs['chosen']): number =>
          mean(kept(logProbs[b]!, responseMask[b]!).map((x) => x - Math.log(collision)))
        return close(weights.data[b]!, Math.exp(alignment(pairs.chosen) + alignment(pairs.rejected)))
      })
    }),
    few,
  )

  law(
    'its weights are data',
    fc.property(anyPairs, (pairs) => {
      const { grad } = lossAndGrad(({ chosen, rejected }) =>
        pipe(
          wpoWeights({
            chosen: { ...chosen, collisions: exp(chosen.logProbs) },
            rejected: { ...rejected, collisions: exp(rejected.logProbs) },
          }),
          sum('batch'),
        ),
      )(pairs)
      return allZero(grad.chosen.logProbs) && allZero(grad.rejected.logProbs)
    }),
    few,
  )

  law(
    'a weighted sum of losses is the sum of their values and of their gradients',
    fc.property(anyPairs, (pairs) => {
      const [sigmoidLoss, bco] = [dpoLoss({ beta: 0.3 }), dpoLoss({ beta: 0.3, loss: { tag: 'bco' } })]
      const mixed = lossAndGrad(weightedLosses({ weight: 0.8, loss: sigmoidLoss }, { weight: 0.2, loss: bco }))(pairs)
      const [first, second] = [lossAndGrad(sigmoidLoss)(pairs), lossAndGrad(bco)(pairs)]
      return (
        close(mixed.value, 0.8 * first.value + 0.2 * second.value) &&
        policyGradients(mixed).every((g, i) => close(g, 0.8 * policyGradients(first)[i]! + 0.2 * policyGradients(second)[i]!))
      )
    }),
    few,
  )
})
