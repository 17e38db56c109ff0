import fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { random } from '../../dsl/index.js'
import { recall, renderSettingError } from '../../tasks/index.js'
import type { Draw, Split } from '../../tasks/index.js'
import { law } from '../law.js'
import { recalling } from './recalling.js'

const { environment, stopId, vocabulary } = recall

const drawOf =
  (seed: number): Draw =>
  (i, n) =>
    integerOf(seed, i, n)

const integerOf = (seed: number, i: number, n: number): number => random.integer(random.key(seed), i, n)

const careful = recalling({ forgets: 0 })

const playedByOracle = async (seed: number) => {
  let state = careful.problem('train', drawOf(seed))
  while (!careful.isOver(state)) state = await careful.act(state, careful.oracle(state, drawOf(seed + 1)))
  return state
}

law(
  'an oracle that forgets nothing is right, and its memory is worth what the history is',
  fc.asyncProperty(fc.nat(), async (seed) => {
    const state = await playedByOracle(seed)
    expect(careful.reward(state)).toEqual({ value: 1, parts: { exact: 1, format: 1 } })
    for (const answer of ['gold', 'generated'] as const) {
      const [probe] = careful.memoryProbes!(state, answer)
      expect(probe!.memory).toEqual(probe!.history)
      expect(probe!.memory.known).toEqual([true, false])
    }
  }),
)

law(
  'any response leads to an end after two turns, with a reward of 0 or 1',
  fc.asyncProperty(fc.nat(), fc.array(fc.nat({ max: 30 })), fc.array(fc.nat({ max: 30 })), async (seed, first, second) => {
    const state = await careful.act(await careful.act(careful.problem('heldOut', drawOf(seed)), first), second)
    expect(careful.isOver(state)).toBe(true)
    expect([0, 1]).toContain(careful.reward(state).value)
    expect(careful.render(state)).toContain('say')
  }),
)

test('what is held out is never trained on, and together that is all', () => {
  const two = recalling({ names: 2 })
  const drawn = (split: Split) => new Set(Array.from({ length: 3000 }, (_, seed) => JSON.stringify(two.problem(split, drawOf(seed)))))
  const [train, heldOut] = [drawn('train'), drawn('heldOut')]
  expect([...heldOut].filter((problem) => train.has(problem))).toEqual([])
  expect(heldOut.size + train.size).toBe(10 * 10 * 2)
})

test('the second turn shows the memory and nothing of what was read before', async () => {
  const state = await careful.act(careful.problem('train', drawOf(3)), [10, 7, stopId, 4])
  expect(careful.context(state).slice(0, -3)).toEqual([10, 7])
  expect(vocabulary).toHaveLength(20)
})

test.each([
  [{ names: 1 }, "names = 1 in the task's settings\n  because: names is a whole number from 2 to 6"],
  [{ names: 7 }, "names = 7 in the task's settings\n  because: names is a whole number from 2 to 6"],
  [{ forgets: 2 }, "forgets = 2 in the task's settings\n  because: forgets is a share from 0 to 1"],
])('the settings %o are refused', (settings, said) => {
  const made = environment(settings)
  expect(E.isLeft(made) && made.left.map(renderSettingError)).toEqual([`${said}\n  try: change it, or leave it out for the default`])
})
