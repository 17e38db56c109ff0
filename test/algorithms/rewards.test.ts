import { describe, expect, test } from 'vitest'
import { exactMatch, f1, isTooFar, overlongPenalty } from '../../algorithms/index.js'
import { readGolden } from '../golden/golden-file.js'
import { type Agent, agentRewards } from '../golden/rows/rewards.js'

test('the calls of a turn and the facts of an answer are those that MiniMind reads', () => {
  const { cases } = readGolden<{ readonly num_gen: number }>('mm_agent_rewards')
  for (const { inputs, params, outputs } of cases) {
    const rewards = agentRewards(inputs as unknown as Agent, params.num_gen)
    expect(rewards.map(({ validated }) => validated)).toEqual(outputs['validated'])
    expect(rewards.map(({ calls }) => calls)).toEqual(outputs['tool_calls'])
  }
})

test('a step is skipped where MiniMind stops early, and where the distance is no number', () => {
  for (const { params, outputs } of readGolden<{ readonly early_stop_kl: number }>('mm_ppo_loss').cases)
    expect(isTooFar(outputs['approx_kl'] as number, params.early_stop_kl)).toBe(outputs['early_stop'])
  expect([isTooFar(NaN, 1), isTooFar(Infinity, 1), isTooFar(1, 1)]).toEqual([true, true, false])
})

describe('an answer', () => {
  test.each([
    ['The Eiffel Tower', 'eiffel tower!', 1, 1],
    ['Paris', 'Paris, France', 0, 2 / 3],
    ['one two two', 'two two three', 0, 2 / 3],
    ['Paris', 'Rome', 0, 0],
    ['', '', 1, 1],
    ['Paris', '', 0, 0],
  ])('%j against %j', (truth, answer, exact, overlap) => {
    expect(exactMatch(truth)(answer)).toBe(exact)
    expect(f1(truth)(answer)).toBeCloseTo(overlap, 12)
    expect(f1(answer)(truth)).toBeCloseTo(overlap, 12)
  })
})

test('the overlong penalty falls over the buffer', () => {
  const penalty = overlongPenalty({ most: 100, buffer: 20, penalty: 1 })
  expect([0, 80, 90, 100, 110].map(penalty).map((x) => x + 0)).toEqual([0, 0, -0.5, -1, -1.5])
})
