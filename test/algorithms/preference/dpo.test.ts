import fc from 'fast-check'
import { describe } from 'vitest'
import { type DpoConfig, dpoLoss } from '../../../algorithms/index.js'
import { law } from '../../law.js'
import { close } from '../batches.js'
import { divergences, losses } from './losses.js'
import { anyPairs, lossAndGrad, type Pairs, policyGradients } from './pairs.js'
import { hasPairs, logSigmoid, mean, pairPlaces, ratiosOf, type Reduce, sigmoid, total } from './plain.js'

/** f′(u) of each divergence D_f, up to what cancels in a difference. */
const derivatives: { readonly [D in keyof typeof divergences]: (u: number) => number } = {
  reverseKl: (u) => Math.log(u) + 1,
  forwardKl: (u) => -1 / u,
  jensenShannon: (u) => Math.log((2 * u) / (1 + u)),
  alpha: (u) => (u ** -0.5 - 1) / -0.5,
}

const lost = (config: DpoConfig, pairs: Pairs): number =>
  lossAndGrad(({ chosen, rejected }) => dpoLoss(config)({ chosen, rejected }))(pairs).value

const swapped = ({ chosen, rejected, weights }: Pairs): Pairs => ({ chosen: rejected, rejected: chosen, weights })

const few = { runs: 30 }

describe('DPO', () => {
  law(
    'under a divergence the margin is f′(u) of the chosen less f′(u) of the rejected',
    fc.property(anyPairs, fc.constantFrom(...Object.keys(divergences)), (pairs, name) => {
      const key = name as keyof typeof divergences
      const margins = ratiosOf(pairs).map(({ c, r }) => derivatives[key](Math.exp(c)) - derivatives[key](Math.exp(r)))
      return close(lost({ beta: 0.3, divergence: divergences[key] }, pairs), mean(margins.map((m) => -logSigmoid(0.3 * m))))
    }),
    few,
  )

  law(
    'the α-divergence is the reverse KL at 1 and the forward KL at 0',
    fc.property(anyPairs, (pairs) => {
      const of = (alpha: number): number => lost({ beta: 0.3, divergence: { tag: 'alpha', alpha } }, pairs)
      const nearly = (x: number, y: number): boolean => Math.abs(x - y) <= 1e-4 * Math.max(1, Math.abs(y))
      return (
        of(1) === lost({ beta: 0.3 }, pairs) &&
        nearly(of(1 + 1e-7), of(1)) &&
        of(0) === lost({ beta: 0.3, divergence: divergences.forwardKl }, pairs)
      )
    }),
    few,
  )

  law(
    'exchanging chosen and rejected adds β times the margin: loss(m) − loss(−m) = −β·m',
    fc.property(anyPairs, fc.constantFrom(0.1, 1), (pairs, beta) => {
      const margin = mean(ratiosOf(pairs).map(({ c, r }) => c - r))
      return close(lost({ beta }, pairs) - lost({ beta }, swapped(pairs)), -beta * margin)
    }),
    few,
  )

  law(
    'the gradient is −β·σ(−β·m)/n at each token of the chosen and the opposite at each of the rejected',
    fc.property(anyPairs.filter(hasPairs), (pairs) => {
      const n = pairPlaces(pairs).length
      const pulls = new Map(ratiosOf(pairs).map(({ c, r }, i) => [pairPlaces(pairs)[i], (0.5 * sigmoid(-0.5 * (c - r))) / n]))
      const at = (side: 'chosen' | 'rejected', sign: number): readonly number[] =>
        pairs[side].responseMask.flatMap((row, b) => row.map((m) => (m === 1 ? sign * pulls.get(b)! : 0)))
      const grads = policyGradients(lossAndGrad(({ chosen, rejected }) => dpoLoss({ beta: 0.5 })({ chosen, rejected }))(pairs))
      return [...at('chosen', -1), ...at('rejected', 1)].every((g, i) => close(g, grads[i]!))
    }),
    few,
  )

  law(
    'per token the ratios are means over the tokens, 0 without one',
    fc.property(anyPairs, (pairs) => {
      const expected = mean(ratiosOf(pairs, mean).map(({ c, r }) => (c - r - 1 / (2 * 0.2)) ** 2))
      return close(lost({ beta: 0.2, within: { count: 'tokens' }, loss: { tag: 'ipo' } }, pairs), expected)
    }),
    few,
  )

  law(
    'LD-DPO counts the tokens beyond the shorter response α times',
    fc.property(anyPairs, fc.constantFrom(0, 0.3, 1), (pairs, excess) => {
      const damped: Reduce = (ratios, other) => total(ratios.map((x, i) => (i < other ? x : excess * x)))
      const expected = mean(ratiosOf(pairs, damped).map(({ c, r }) => -logSigmoid(0.5 * (c - r))))
      return close(lost({ beta: 0.5, excess }, pairs), expected)
    }),
    few,
  )

  law(
    'a weight multiplies the loss of its pair',
    fc.property(anyPairs, (pairs) => {
      const places = pairPlaces(pairs)
      const expected = mean(ratiosOf(pairs).map(({ c, r }, i) => pairs.weights[places[i]!]! * -logSigmoid(0.5 * (c - r))))
      return close(lossAndGrad(dpoLoss({ beta: 0.5 }))(pairs).value, expected)
    }),
    few,
  )

  law(
    'log-ratios of ±100 and ±1000 give finite losses and gradients in f32',
    fc.property(
      anyPairs,
      fc.constantFrom(...Object.keys(losses)),
      fc.constantFrom(-1000, -100, 100, 1000),
      fc.constantFrom(-1000, -100, 0, 100, 1000),
      (pairs, name, chosen, rejected) => {
        const reference = (distance: number) => (x: readonly number[]) => x.map((logProb) => logProb - distance)
        const far: Pairs = {
          ...pairs,
          chosen: { ...pairs.chosen, refLogProbs: pairs.chosen.logProbs.map(reference(chosen)) },
          rejected: { ...pairs.rejected, refLogProbs: pairs.rejected.logProbs.map(reference(rejected)) },
        }
        const made = lossAndGrad(losses[name]!, 'f32')(far)
        return [made.value, ...policyGradients(made)].every(Number.isFinite)
      },
    ),
    { runs: 100 },
  )
})
