import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cpoLoss, likelihoodLoss, orpoLoss, sequenceMeanTokenMean, simpoLoss, tokenMean } from '../../../algorithms/index.js'
import { law } from '../../law.js'
import { close } from '../batches.js'
import { anyPairs, lossAndGrad, type Loss, type Pairs, policyGradients, type Responses } from './pairs.js'
import { kept, mean, pairPlaces, sigmoid, total } from './plain.js'

/** The log-probabilities of each pair's tokens, of the pairs that a mean counts. */
const tokensOf = (pairs: Pairs): readonly { readonly chosen: readonly number[]; readonly rejected: readonly number[] }[] =>
  pairPlaces(pairs).map((b) => {
    const of = ({ logProbs, responseMask }: Responses): readonly number[] => kept(logProbs[b]!, responseMask[b]!)
    return { chosen: of(pairs.chosen), rejected: of(pairs.rejected) }
  })

/** Those of the chosen responses that have a token. */
const chosenOf = (pairs: Pairs): readonly (readonly number[])[] =>
  tokensOf(pairs)
    .map(({ chosen }) => chosen)
    .filter((tokens) => tokens.length > 0)

const lost = (loss: Loss, pairs: Pairs): number => lossAndGrad(loss)(pairs).value

/** One weight for all pairs, so that a loss of weighted pairs can be compared with the paper's. */
const unweighted = (pairs: Pairs): Pairs => ({ ...pairs, weights: pairs.weights.map(() => 1) })

const few = { runs: 40 }

const response = (...logProbs: readonly number[]): Responses => ({
  logProbs: [logProbs],
  refLogProbs: [logProbs.map(() => 0)],
  responseMask: [logProbs.map((x) => (x < 0 ? 1 : 0))],
})

const pair = (chosen: Responses, rejected: Responses): Pairs => ({ chosen, rejected, weights: [1] })

describe('SimPO', () => {
  law(
    'is −log σ(β/|y_c|·log π(y_c) − β/|y_r|·log π(y_r) − γ)',
    fc.property(anyPairs, (pairs) => {
      const margins = tokensOf(pairs).map(({ chosen, rejected }) => 2.5 * mean(chosen) - 2.5 * mean(rejected) - 0.7)
      return close(lost(simpoLoss({ beta: 2.5, gamma: 0.7 }), unweighted(pairs)), mean(margins.map((m) => -Math.log(sigmoid(m)))))
    }),
    few,
  )

  test('of means −2 and −4, β = 2 and γ = 1 is log(1 + e⁻³)', () => {
    expect(lost(simpoLoss({ beta: 2, gamma: 1 }), pair(response(-1, -3), response(-4, 0)))).toBeCloseTo(0.048587351573742, 14)
  })
})

describe('CPO', () => {
  law(
    'is −log σ(β·log π(y_c) − β·log π(y_r)) − log π(y_c)',
    fc.property(anyPairs, (pairs) => {
      const preferred = tokensOf(pairs).map(({ chosen, rejected }) => -Math.log(sigmoid(0.3 * total(chosen) - 0.3 * total(rejected))))
      const likelihood = mean(chosenOf(pairs).map((tokens) => -total(tokens)))
      return close(lost(cpoLoss({ beta: 0.3 }), unweighted(pairs)), mean(preferred) + likelihood)
    }),
    few,
  )

  test('of two responses of log-probability −4 is log 2 and 4 times the weight of the likelihood', () => {
    const loss = cpoLoss({ beta: 0.3, likelihood: 0.5 })
    expect(lost(loss, pair(response(-1, -3), response(-4, 0)))).toBeCloseTo(Math.LN2 + 2, 14)
  })

  test("has TRL's likelihood by the mean over tokens", () => {
    const loss = cpoLoss({ beta: 0.3, aggregation: tokenMean })
    expect(lost(loss, pair(response(-1, -3), response(-4, 0)))).toBeCloseTo(Math.LN2 + 2, 14)
  })
})

describe('ORPO', () => {
  law(
    'is the mean negative log-likelihood and λ times −log σ of the log odds ratio',
    fc.property(
      anyPairs.filter((pairs) => tokensOf(pairs).every(({ chosen, rejected }) => chosen.length > 0 && rejected.length > 0)),
      (pairs) => {
        const odds = (tokens: readonly number[]): number => Math.exp(mean(tokens)) / (1 - Math.exp(mean(tokens)))
        const ratios = tokensOf(pairs).map(({ chosen, rejected }) => -Math.log(sigmoid(Math.log(odds(chosen) / odds(rejected)))))
        const expected = mean(chosenOf(pairs).map((tokens) => -mean(tokens))) + 0.25 * mean(ratios)
        return close(lost(orpoLoss({ lambda: 0.25 }), unweighted(pairs)), expected)
      },
    ),
    few,
  )

  test('of P = ½ against ¼ is log 2 and λ·log(4/3): the odds are 1 and ⅓', () => {
    const pairs = pair(response(Math.log(1 / 2), Math.log(1 / 2)), response(Math.log(1 / 4), 0))
    expect(lost(orpoLoss({ lambda: 0.5 }), pairs)).toBeCloseTo(Math.LN2 + 0.5 * Math.log(4 / 3), 14)
  })

  test('has the gradient of its paper: δ·h over the tokens, beside the likelihood', () => {
    const pairs = pair(response(Math.log(1 / 2)), response(Math.log(1 / 4)))
    // ∂/∂log π = −σ(−log OR)/(1 − P) of the chosen, the opposite of the rejected; OR = 3.
    const [chosen, rejected] = policyGradients(lossAndGrad(orpoLoss({ lambda: 1 }))(pairs))
    expect(chosen).toBeCloseTo(-1 - 0.25 / (1 - 1 / 2), 14)
    expect(rejected).toBeCloseTo(0.25 / (1 - 1 / 4), 14)
  })

  test('of a response that is certain is finite, with its gradient', () => {
    const certain = { ...response(-0), responseMask: [[1]] }
    const made = lossAndGrad(orpoLoss({ lambda: 1 }), 'f32')(pair(certain, response(-1)))
    expect([made.value, ...policyGradients(made)].every(Number.isFinite)).toBe(true)
  })
})

describe('the likelihood', () => {
  law(
    'is the mean of −log π over all response tokens, or over responses of their means',
    fc.property(anyPairs, (pairs) => {
      const chosen = (aggregation: typeof tokenMean): number => lost(({ chosen }) => likelihoodLoss(aggregation)(chosen), pairs)
      return (
        close(
          chosen(tokenMean),
          mean(
            chosenOf(pairs)
              .flat()
              .map((x) => -x),
          ),
        ) && close(chosen(sequenceMeanTokenMean), mean(chosenOf(pairs).map((tokens) => -mean(tokens))))
      )
    }),
    few,
  )
})
