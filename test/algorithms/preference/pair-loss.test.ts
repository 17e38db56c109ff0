import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type DpoConfig, dpoLoss } from '../../../algorithms/index.js'
import { law } from '../../law.js'
import { close } from '../batches.js'
import { divergences, losses, pairLosses } from './losses.js'
import { anyPairs, lossAndGrad, type Pairs } from './pairs.js'
import { logSigmoid, mean, ratiosOf, sigmoid } from './plain.js'

/** The losses of a pair as their papers write them, of log-ratios and β. */
const published: { readonly [L in keyof typeof pairLosses]: (c: number, r: number, beta: number) => number } = {
  sigmoid: (c, r, beta) => -logSigmoid(beta * (c - r)),
  smoothed: (c, r, beta) => -0.9 * logSigmoid(beta * (c - r)) - 0.1 * logSigmoid(-beta * (c - r)),
  hinge: (c, r, beta) => Math.max(0, 1 - beta * (c - r)),
  ipo: (c, r, beta) => (c - r - 1 / (2 * beta)) ** 2,
  exo: (c, r, beta) => {
    const q = sigmoid(beta * (c - r))
    return q * Math.log(q / (1 - 1e-3)) + (1 - q) * Math.log((1 - q) / 1e-3)
  },
  robust: (c, r, beta) => (-0.9 * logSigmoid(beta * (c - r)) + 0.1 * logSigmoid(-beta * (c - r))) / (1 - 2 * 0.1),
  discopop: (c, r, beta) => {
    const share = sigmoid((beta * (c - r)) / 0.05)
    return (1 - share) * -logSigmoid(beta * (c - r)) + share * Math.exp(-beta * (c - r))
  },
  nca: (c, r, beta) => -logSigmoid(beta * c) - 0.5 * logSigmoid(-beta * c) - 0.5 * logSigmoid(-beta * r),
  bco: (c, r, beta) => -logSigmoid(beta * c - 0.2) - logSigmoid(-(beta * r - 0.2)),
  sppo: (c, r, beta) => (c - 0.5 / beta) ** 2 + (r + 0.5 / beta) ** 2,
  apoZero: (c, r, beta) => 1 - sigmoid(beta * c) + sigmoid(beta * r),
  apoDown: (c, r, beta) => sigmoid(beta * c) + (1 - sigmoid(beta * (c - r))),
}

const lost = (config: DpoConfig, pairs: Pairs): number =>
  lossAndGrad(({ chosen, rejected }) => dpoLoss(config)({ chosen, rejected }))(pairs).value

describe('the loss of a pair', () => {
  law(
    'each loss of a pair is the one that its paper has',
    fc.property(anyPairs, fc.constantFrom(...Object.keys(pairLosses)), fc.constantFrom(0.1, 0.5, 1), (pairs, name, beta) => {
      const key = name as keyof typeof pairLosses
      return close(lost({ beta, loss: pairLosses[key] }, pairs), mean(ratiosOf(pairs).map(({ c, r }) => published[key](c, r, beta))))
    }),
  )

  test.each([
    ['sigmoid', Math.LN2],
    ['smoothed', Math.LN2],
    ['hinge', 1],
    ['ipo', 25],
    ['exo', 0.5 * Math.log(0.5 / 0.999) + 0.5 * Math.log(0.5 / 0.001)],
    ['robust', Math.LN2],
    ['discopop', 0.5 * Math.LN2 + 0.5],
    ['nca', 2 * Math.LN2],
    ['sppo', 50],
    ['apoZero', 1],
    ['apoDown', 1],
  ] as const)('of equal policies %s is a number of its own, under any divergence', (name, expected) => {
    const response = { logProbs: [[-1, -2]], refLogProbs: [[-1, -2]], responseMask: [[1, 1]] }
    const equal: Pairs = { chosen: response, rejected: response, weights: [1] }
    for (const divergence of Object.values(divergences))
      expect(lost({ beta: 0.1, loss: pairLosses[name], divergence }, equal)).toBeCloseTo(expected, 12)
  })

  test('an unlikely chosen response gets no NaN from DiscoPOP, where σ·e⁻ᵐ is 0·∞', () => {
    const far = (logProb: number) => ({ logProbs: [[logProb]], refLogProbs: [[-1]], responseMask: [[1]] })
    const pairs: Pairs = { chosen: far(-1001), rejected: far(-1), weights: [1] }
    const { value, grad } = lossAndGrad(losses['discopop']!, 'f32')(pairs)
    expect(value).toBeCloseTo(400, 3)
    expect(grad.chosen.logProbs.data[0]).toBeCloseTo(-0.4, 6)
  })
})
