import { expect, test } from 'vitest'
import { renderWarning, type StepMetrics, type Warning, warningsOf } from '../../../training/index.js'

const equal = { mean: 0.5, std: 0, least: 0.5, greatest: 0.5 }

const healthy: StepMetrics = {
  ...{ step: 7, trajectories: 8, reward: equal, paid: equal, rewardParts: { exact: 0.1, format: 0.9 } },
  groups: { count: 2, std: 0.1, withoutVariance: 0.5, distinctTrajectories: 4, distinctQueries: 2 },
  ...{ turns: 2, written: { mean: 5, greatest: 9, total: 40, memory: 3 }, read: { mean: 8, peak: 12 } },
  advantage: { mean: 0, std: 1, byKind: {} },
  update: { planned: 2, tried: 2, taken: 2, learningRate: 1e-3, drift: 0.01, numbers: { refKl: 0.2 } },
  memory: { probability: 0.5, baseline: 0.4, reward: { mean: 0.1, std: 0.2 }, opposed: 0.3, reader: 0.8 },
  forwardPasses: { rollout: 10, update: 20 },
}

test('a healthy step is warned of nothing, nor one that says less', () => {
  expect(warningsOf()(healthy)).toEqual([])
  const { memory: _, ...rest } = healthy
  expect(warningsOf()({ ...rest, rewardParts: {}, update: { ...healthy.update, numbers: {} } })).toEqual([])
})

test.each<[string, Partial<StepMetrics>, Warning, readonly string[]]>([
  [
    'no group has variance',
    { groups: { ...healthy.groups, withoutVariance: 1 } },
    { tag: 'noVariance', step: 7, groups: 2 },
    ['step 7', '2 groups', 'temperature'],
  ],
  [
    'the policy has left its reference',
    { update: { ...healthy.update, numbers: { refKl: 1.25 } } },
    { tag: 'klAbove', step: 7, kl: 1.25, limit: 1 },
    ['1.250 nats', 'above 1', 'learning rate'],
  ],
  [
    'few formats are valid',
    { rewardParts: { format: 0.25 } },
    { tag: 'fewValid', step: 7, share: 0.25, limit: 0.5 },
    ['25 %', '50 %', 'teach longer'],
  ],
  [
    'the reader of the history cannot read',
    { memory: { ...healthy.memory!, reader: 0.3 } },
    { tag: 'weakReader', step: 7, share: 0.3, limit: 0.5 },
    ['30 %', "'found'"],
  ],
])('where %s, three lines say so and what to change', (_, changed, warning, words) => {
  expect(warningsOf()({ ...healthy, ...changed })).toEqual([warning])
  const text = renderWarning(warning)
  expect(text.split('\n')).toHaveLength(3)
  for (const word of words) expect(text).toContain(word)
})
