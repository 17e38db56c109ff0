import { describe, expect, test } from 'vitest'
import { cispoLoss, grpoLoss, presets, reinforceLoss, sapoLoss, type SurrogateBatch, type Tokens } from '../../algorithms/index.js'
import type { Scalar } from '../../dsl/index.js'
import { batchSpec, run } from './batches.js'

const values = {
  logProbs: { sizes: [1, 2], data: [-1, -2] },
  oldLogProbs: { sizes: [1, 2], data: [-1.1, -1.5] },
  refLogProbs: { sizes: [1, 2], data: [-3, -0.5] },
  advantages: { sizes: [1, 2], data: [1, -2] },
  responseMask: { sizes: [1, 2], data: [1, 1] },
}

const clip = { low: 0.2, high: 0.2 }

/** Each is given β as the number 0: tsc asks for no reference policy. */
const withoutReference: Readonly<Record<string, (batch: SurrogateBatch<Tokens>) => Scalar>> = {
  GRPO: grpoLoss({ clip, beta: 0 }),
  'GRPO by a preset': grpoLoss(presets.trl.grpo),
  CISPO: cispoLoss({ ...presets.trl.cispo, bounds: { most: 5 } }),
  SAPO: sapoLoss({ temperature: { positive: 1, negative: 1.05 }, beta: 0 }),
  REINFORCE: reinforceLoss({ beta: 0 }),
}

describe('a loss with β = 0', () => {
  test.each(Object.entries(withoutReference))('needs no reference policy: %s', (_, loss) => {
    const { without, beside } = run(batchSpec, values, ({ refLogProbs, ...batch }) => ({
      without: loss(batch),
      beside: loss({ ...batch, refLogProbs } as SurrogateBatch<Tokens>),
    }))
    expect(without.data[0]).toBe(beside.data[0])
  })
})

test('a loss with another β asks for it', () => {
  const asked = (batch: SurrogateBatch<Tokens>): Scalar =>
    // @ts-expect-error: the batch has no refLogProbs
    grpoLoss({ clip, beta: 0.1 })(batch)
  expect(asked).toBeTypeOf('function')
})
