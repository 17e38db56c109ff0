import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { countdown } from '../../../tasks/index.js'
import { misfit, recipeOf } from '../../../training/index.js'
import { right as orThrow } from '../../right.js'
import { onCpu } from '../tiny.js'
import { base, learnt, task } from './learnt.js'

test('the same key gives the same bits, and parts give the step of the whole', () =>
  onCpu(async (device) => {
    const whole = await learnt(device, task, 'grpo', { steps: 1 })
    const again = await learnt(device, task, 'grpo', { steps: 1 })
    expect(again.params).toEqual(whole.params)
    expect(again.reports.map(({ updates }) => updates)).toEqual(whole.reports.map(({ updates }) => updates))
    const parts = await learnt(device, task, 'grpo', { microRows: 5, steps: 1 })
    parts.params.forEach((x, i) => expect(x).toBeCloseTo(whole.params[i]!, 5))
    parts.reports[0]!.updates.forEach(({ loss, metrics }, i) => {
      const expected = whole.reports[0]!.updates[i]!
      expect(loss).toBeCloseTo(expected.loss, 5)
      for (const [name, value] of Object.entries(metrics)) expect(value).toBeCloseTo(expected.metrics[name]!, 4)
    })
  }))

test('the first update of a step finds the policy where it sampled, the second has moved, and one that is too far ends the step', () =>
  onCpu(async (device) => {
    const free = await learnt(device, task, 'grpo', { oldLogProbs: 'recomputed' })
    const [first, second] = free.reports[0]!.updates
    expect(free.reports[0]!.updates).toHaveLength(4)
    expect(first!.drift).toBeLessThan(1e-9)
    expect(second!.drift).toBeGreaterThan(first!.drift)
    const held = await learnt(device, task, 'grpo', { mostKl: second!.drift / 2, oldLogProbs: 'recomputed' })
    expect(held.reports[0]!.updates.map(({ taken }) => taken)).toEqual([true, false])
    expect(held.reports[0]!.rounds).toBe(4)
  }))

test('advantages of a group add up to 0, and those of a memory stand on the tokens that wrote it', () =>
  onCpu(async (device) => {
    const { reports, metrics } = await learnt(device, task, 'mempo', { steps: 1 })
    const { rows, remembered, trajectories, updates } = reports[0]!
    const [said] = metrics
    const turns = 2 * trajectories.length
    expect(said!.forwardPasses).toEqual({ rollout: turns, reference: turns, probes: remembered.length, update: 2 * rows.length })
    expect(said!.memory!.opposed).toBeGreaterThanOrEqual(0)
    expect(said!.memoryEntropy).toBeLessThan(Math.log(20))
    expect(said!.update.numbers['ratioMean']).toBeCloseTo(1, 1)
    expect(updates.map(({ about }) => about.rows).reduce((sum, x) => sum + x, 0)).toBe(2 * rows.length)
    expect(JSON.parse(JSON.stringify(said))).toEqual(said)
    expect(remembered).toHaveLength(trajectories.length)
    for (const group of [0, 1, 2]) {
      const own = rows.filter((row) => row.group === group)
      expect(own.reduce((sum, { advantage }) => sum + advantage, 0)).toBeCloseTo(0, 4)
      const paid = remembered.filter(({ trajectory }) => trajectories[trajectory]!.group === group)
      expect(paid.reduce((sum, { advantage }) => sum + advantage, 0)).toBeCloseTo(0, 4)
    }
    for (const { tokens, kinds, turns, memoryAdvantages, trajectory } of rows) {
      expect(tokens.spanTurn).toEqual(kinds.map((kind, i) => (kind === 'memory' && turns[i] === 0 ? 0 : -1)))
      expect(memoryAdvantages).toEqual([remembered.find((one) => one.trajectory === trajectory)!.advantage])
    }
  }))

test('a critic’s returns are the reward at the last token, and the KL is taken from the reward', () =>
  onCpu(async (device) => {
    const single = countdown.environment({ count: 2, reward: 'distance' })
    const critic = { gae: { gamma: 1, lambda: 1 }, whitening: base.critic.whitening }
    const { reports } = await learnt(device, single, 'ppo', { klReward: 0.5, critic, epochs: 1 })
    for (const { rows, trajectories } of reports)
      for (const { tokens, trajectory, reward } of rows) {
        const { rewards = [], returns = [], refLogProbs = [], oldLogProbs = [] } = tokens
        const price = oldLogProbs.map((x, i) => 0.5 * (x - refLogProbs[i]!))
        const earned = trajectories[trajectory]!.reward.value - price.reduce((sum, x) => sum + x, 0)
        expect(reward).toBeCloseTo(earned, 4)
        expect(returns[0]).toBeCloseTo(earned, 4)
        expect(rewards.reduce((sum, x) => sum + x, 0)).toBeCloseTo(earned, 4)
      }
  }))

/** One turn, paid as `task` is. */
const single = {
  ...countdown.environment({ count: 2 }),
  reward: ({ response = [] }: countdown.CountdownState) => ({ value: response.filter((id) => id % 2 === 0).length, parts: {} }),
}

test('pairs are made of what the policy answered, and a step by them moves it towards the chosen ones', () =>
  onCpu(async (device) => {
    const { reports, metrics } = await learnt(device, single, 'dpo', { questions: 8, answers: 4, temperature: 1.5, steps: 1 })
    const { rows, rounds, updates } = reports[0]!
    const pairs = [...Array(8).keys()].filter(
      (at) => new Set(rows.filter(({ group }) => group === at).map(({ reward }) => reward)).size > 1,
    )
    expect(pairs.length).toBeGreaterThan(4)
    expect([rounds, updates.length]).toEqual([4, 4])
    const [first, last] = [updates[0]!, updates.at(-1)!]
    expect(first.loss).toBeCloseTo(Math.log(2), 4)
    for (const name of ['margin', 'chosenReward', 'rejectedReward']) expect(first.metrics[name]).toBeCloseTo(0, 4)
    for (const name of ['chosenLogProb', 'rejectedLogProb']) expect(first.metrics[name]).toBeLessThan(0)
    expect(last.metrics['margin']).toBeGreaterThan(0)
    expect(last.metrics['accuracy']).toBeGreaterThan(0.5)
    for (const { metrics: own } of updates) expect(own['chosenReward']! - own['rejectedReward']!).toBeCloseTo(own['margin']!, 4)

    const count = updates.reduce((sum, { about }) => sum + about.rows, 0)
    expect(count).toBe(2 * pairs.length)
    const mean = (name: string) => updates.reduce((sum, { about, metrics: own }) => sum + about.rows * own[name]!, 0) / count
    for (const name of ['margin', 'accuracy']) expect(metrics[0]!.update.numbers[name]).toBeCloseTo(mean(name), 5)
    expect(metrics[0]!.forwardPasses.update).toBe(2 * count)
  }))

test('pairs are refused where a trajectory has several sequences, before anything is updated', () =>
  onCpu(async (device) => {
    await expect(learnt(device, task, 'dpo', { steps: 1 })).rejects.toThrow(
      /^the loss 'dpo' on the task 'recall'\n {2}because: .* has 2\n {2}try: .*$/,
    )
  }))

test.each(['grpo', 'mempo', 'cispo', 'gspo', 'ppo'])(
  'the loss of %s is that of the policy and the price of the KL, which are told apart',
  (algorithm) =>
    onCpu(async (device) => {
      const loss = { beta: 0.5, valueCoefficient: 0 }
      const { reports, metrics } = await learnt(device, task, algorithm, { steps: 2, learningRate: 0.1, loss })
      const updates = reports.flatMap((report) => report.updates)
      for (const { loss, metrics: own } of updates) expect(own['policyLoss']! + own['klLoss']!).toBeCloseTo(loss, 4)
      expect(updates.at(-1)!.metrics['klLoss']).toBeGreaterThan(0)
      expect(Object.keys(metrics[0]!.update.numbers)).toEqual(expect.arrayContaining(['policyLoss', 'klLoss']))
    }),
)

test.each([
  ['reference', 'grpo', {}, { isUnreferenced: true }],
  ['reference', 'ppo', { klReward: 0.1 }, { isUnreferenced: true }],
  ['rewardModel', 'grpo', { rewardModel: { weight: 1 } }, {}],
] as const)('a step without the %s that %s reads is refused, before anything is played', (actor, algorithm, changed, between) =>
  onCpu(async (device) => {
    await expect(learnt(device, task, algorithm, changed, between)).rejects.toThrow(
      new RegExp(`^a step of the loss '${algorithm}'\\n  because: .* read a ${actor}, .*\\n  try: .*$`),
    )
  }),
)

test('what does not fit the task or the settings is found before anything is compiled', () => {
  const recipe = (name: string) => orThrow(recipeOf(name, {}))
  expect(misfit(recipe('mempo'), countdown.environment(), base)).toMatchObject({ tag: 'noMemory' })
  expect(misfit(recipe('grpoOfRewards'), task, { ...base, microRows: 4 })).toMatchObject({ tag: 'notInParts' })
  expect(misfit(recipe('mempo'), task, base)).toBeUndefined()
  expect(E.isLeft(recipeOf('value', {}))).toBe(true)
})
