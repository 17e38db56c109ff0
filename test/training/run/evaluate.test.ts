import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import type { DecoderSpecs } from '../../../models/index.js'
import { countrySearch } from '../../../tasks/index.js'
import { evaluate, type HeldFor, heldOutProblems, type Respond } from '../../../training/index.js'
import { right } from '../../right.js'

const environment = right(countrySearch.searchEnvironment(countrySearch.baseOf(countrySearch.countries)))
const questions = 24
const problems = heldOutProblems(environment, questions)
const asked = problems.map((problem) => environment.context(problem).join(' '))

/** A policy that gives no answer, of a word for each question's place, so that what is counted depends on the question. */
const respond: Respond = (_, contexts) =>
  TE.right(
    contexts.map((context) => {
      const ids = Array.from({ length: 1 + asked.indexOf(context.join(' ')) }, () => environment.padId)
      return { ids, logProbs: ids.map(() => 0), samplingLogProbs: ids.map(() => 0) }
    }),
  )

const evaluation = async () =>
  right(await evaluate(environment, respond)({} as HeldFor<DecoderSpecs>, { questions, temperature: 1, step: 3 })())

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length

test('an evaluation counts what was written and read', async () => {
  const { step, greedy, oracle } = await evaluation()
  const lengths = problems.map((problem, i) => environment.context(problem).length + i + 1)
  expect(step).toBe(3)
  expect(oracle['exact']).toEqual({ mean: 1, error: 0 })
  expect(greedy['reward']).toEqual({ mean: 0, error: 0 })
  expect(greedy['turns']?.mean).toBe(1)
  expect(greedy['written']?.mean).toBeCloseTo(mean(problems.map((_, i) => i + 1)), 10)
  expect(greedy['tokens']?.mean).toBeCloseTo(mean(lengths), 10)
  expect(greedy['peak']?.mean).toBeCloseTo(mean(lengths), 10)
})

test('an evaluation tells the sorts of questions apart', async () => {
  const { sorts } = await evaluation()
  const places = (count: number): readonly number[] =>
    problems.flatMap(({ question: { objectives } }, i) => (objectives.length === count ? [i + 1] : []))
  expect(Object.keys(sorts)).toEqual(['1 objective', '2 objectives', '3 objectives'])
  for (const [i, { questions: own, sampled }] of Object.values(sorts).entries()) {
    expect(own).toBe(places(i + 1).length)
    expect(sampled['written']?.mean).toBeCloseTo(mean(places(i + 1)), 10)
  }
})
