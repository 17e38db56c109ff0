import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adaptedKlWeight, klPrice, lessKl } from '../../algorithms/index.js'
import { defineLoss, mul, sum, where } from '../../dsl/index.js'
import { expectRightGradient } from '../dsl/right-gradient.js'
import { law } from '../law.js'
import { allClose, anyBatch, anyJunk, batchSpec, between, close, run } from './batches.js'

const few = { runs: 40 }

describe('the price of the KL', () => {
  law(
    'by k1 is for a response β times its log-ratio',
    fc.property(anyBatch, fc.constantFrom(0, 0.1, 2), (batch, beta) => {
      const { price } = run(batchSpec, batch, (given) => ({ price: pipe(given, klPrice({ beta }), sum('time')) }))
      const [rows = 0, width = 0] = batch.logProbs.sizes
      const expected = Array.from({ length: rows }, (_, b) =>
        Array.from({ length: width }, (_, t) => b * width + t)
          .filter((i) => batch.responseMask.data[i] === 1)
          .reduce((total, i) => total + beta * (batch.logProbs.data[i]! - batch.refLogProbs.data[i]!), 0),
      )
      return allClose(price, { sizes: [rows], data: expected })
    }),
    few,
  )

  law(
    'leaves the rewards outside the mask as they are, whatever the log-probabilities are there',
    fc.property(anyBatch, anyJunk, (batch, junk) => {
      const soil = ({ sizes, data }: typeof batch.logProbs) => ({
        sizes,
        data: [...data].map((x, i) => (batch.responseMask.data[i] === 1 ? x : junk[i % junk.length]!)),
      })
      const soiled = { ...batch, logProbs: soil(batch.logProbs), refLogProbs: soil(batch.refLogProbs) }
      const { less } = run(batchSpec, soiled, (given) => ({ less: pipe(given.advantages, lessKl({ beta: 0.1, kl: 'k3' })(given)) }))
      return [...less.data].every((r, i) => batch.responseMask.data[i] === 1 || r === batch.advantages.data[i])
    }),
    few,
  )

  test('has the gradient that differences have', () =>
    expectRightGradient(
      defineLoss({
        name: 'rewards less the KL',
        inputs: batchSpec,
        loss: (given) => {
          const rewards = pipe(given.advantages, where(given.responseMask), lessKl({ beta: 0.1, kl: 'k3' })(given))
          return pipe(mul(rewards, rewards), sum('batch', 'time'))
        },
      }),
      { ranges: { logProbs: [-3, 0], refLogProbs: [-3, 0] } },
    ))
})

describe('the weight of the KL', () => {
  const settings = { target: 0.1, horizon: 1000 }
  const anyKl = between(0, 10)
  const anySamples = fc.integer({ min: 1, max: 100 })

  law(
    'grows where the KL is above its target, shrinks where it is below, and by no more than the limit allows',
    fc.property(anyKl, anySamples, (kl, samples) => {
      const change = adaptedKlWeight(settings)(2, { kl, samples }) - 2
      return Math.sign(change) === Math.sign(kl - settings.target) && Math.abs(change) <= 2 * 0.2 * (samples / settings.horizon) + 1e-12
    }),
  )

  law(
    'does not shrink as the KL grows',
    fc.property(anyKl, anyKl, anySamples, (x, y, samples) => {
      const weight = (kl: number) => adaptedKlWeight(settings)(2, { kl, samples })
      return weight(Math.min(x, y)) <= weight(Math.max(x, y))
    }),
  )

  test.each([
    [0.1, 2],
    [0.11, 2 * 1.01],
    [5, 2 * 1.02],
    [0, 2 * 0.98],
  ])('after a KL of %d on a tenth of the horizon is %d', (kl, expected) =>
    expect(close(adaptedKlWeight(settings)(2, { kl, samples: 100 }), expected)).toBe(true),
  )
})
