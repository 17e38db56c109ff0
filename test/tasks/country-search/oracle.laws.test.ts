import fc from 'fast-check'
import { expect, test } from 'vitest'
import { endOf, fewHabits, noHabits, type SearchState } from '../../../tasks/country-search/index.js'
import { law } from '../../law.js'
import { anyWorld, bases, drawFrom, environmentOf, played } from './worlds.js'

law(
  'the oracle answers every question of 1 to 8 objectives within its turns, in both contexts',
  fc.property(anyWorld(fc.constant(noHabits)), ({ environment, split, seed }) => {
    const end = played(environment, split, seed).at(-1)!
    expect(environment.reward(end)).toEqual({ value: 1, parts: { exact: 1, fraction: 1, format: 1 } })
    expect(end.turns.length).toBe(end.question.objectives.reduce((sum, { path }) => sum + path.length, 0) + 1)
  }),
)

law(
  'whatever its habits, the oracle ends with a well-formed answer to each objective, in turns no longer than they may be',
  fc.property(anyWorld(), ({ environment, split, seed }) => {
    const end = played(environment, split, seed).at(-1)!
    const action = end.turns.at(-1)!.said!.action
    expect(endOf(end)).toBe('answered')
    expect(action.tag === 'answer' && action.values.length).toBe(end.question.objectives.length)
    for (const { response } of end.turns) {
      expect(response.length).toBeLessThanOrEqual(environment.maxTokens)
      expect(environment.stopIds).toContain(response.at(-1))
      expect(response.slice(0, -1).some((id) => environment.stopIds.includes(id))).toBe(false)
    }
  }),
)

/** A state without what the policy is not told. */
const untold = (state: SearchState): SearchState => ({
  ...state,
  question: { ...state.question, objectives: state.question.objectives.map((objective) => ({ ...objective, path: [] })) },
})

law(
  'the oracle knows no more than the context shows: not the answers, and of the turns only those that it shows',
  fc.property(anyWorld(), ({ environment, context, split, seed }) => {
    for (const state of played(environment, split, seed).slice(0, -1)) {
      const said = environment.oracle(state, drawFrom(seed))
      expect(environment.oracle(untold(state), drawFrom(seed))).toEqual(said)
      if (context === 'full') continue
      const forgotten = state.turns.slice(0, -1).map(() => state.turns.at(-1)!)
      expect(environment.oracle({ ...state, turns: [...forgotten, ...state.turns.slice(-1)] }, drawFrom(seed))).toEqual(said)
    }
  }),
)

const meanFraction = (habits: typeof noHabits): number => {
  const environment = environmentOf(bases.countries, { objectives: { 2: 1 }, habits })
  const rewards = Array.from({ length: 200 }, (_, seed) => environment.reward(played(environment, 'train', seed).at(-1)!).value)
  return rewards.reduce((sum, reward) => sum + reward, 0) / rewards.length
}

test('each bad habit costs reward, and few of them little', () => {
  expect(meanFraction(fewHabits)).toBeGreaterThan(0.93)
  expect(meanFraction({ ...noHabits, forget: 0.5 })).toBeLessThan(0.9)
  expect(meanFraction({ ...noHabits, wrongDoc: 0.3 })).toBeLessThan(0.8)
  expect(meanFraction({ ...noHabits, wrongRelation: 0.6 })).toBeLessThan(0.8)
})
