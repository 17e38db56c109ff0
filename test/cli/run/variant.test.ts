import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { configOf } from '../../../cli/run/config.js'
import type { Draft } from '../../../cli/run/defaults.js'
import { renderRunCommandError } from '../../../cli/run/error.js'
import { prepareRun } from '../../../cli/run/plan.js'
import type { countrySearch } from '../../../tasks/index.js'
import { heldOutProblems } from '../../../training/index.js'
import { right } from '../../right.js'

const search = { name: 'country-search' }

const prepared = (...drafts: readonly Draft[]) => prepareRun(right(configOf([{ task: search }, ...drafts], false)))()

const refused = async (...drafts: readonly Draft[]): Promise<readonly string[]> => {
  const made = await prepared(...drafts)
  return E.isLeft(made) ? made.left.map(renderRunCommandError) : []
}

test('a policy is examined on what it is trained on, unless the config says something else', async () => {
  const { plan } = right(await prepared())
  expect(plan.evaluation.environment).toBe(plan.environment)
})

test('an evaluation of other horizons asks questions of those alone, with the words of the policy and room to answer', async () => {
  const { plan } = right(await prepared({ evaluation: { task: { objectives: { 4: 1, 6: 1 } } } }))
  const { environment = plan.environment } = plan.evaluation
  const asked = heldOutProblems(environment, 40).map((state) => (state as countrySearch.SearchState).question.objectives.length)
  expect(new Set(asked)).toEqual(new Set([4, 6]))
  const trained = heldOutProblems(plan.environment, 40).map((state) => (state as countrySearch.SearchState).question.objectives.length)
  expect(Math.max(...trained)).toBe(3)
  expect(environment.vocabulary).toEqual(plan.environment.vocabulary)
  expect(environment.maxTokens).toBeGreaterThan(plan.environment.maxTokens)
})

test.each<[string, Draft, string]>([
  [
    'a setting that there is none of',
    { evaluation: { task: { objetives: { 4: 1 } } } },
    `'objetives' in 'evaluation.task' of the config\n  because: there is no such setting\n  try: did you mean 'objectives'?`,
  ],
  [
    'a value that the task cannot have',
    { evaluation: { task: { results: 20 } } },
    `'evaluation.task.results' of the config is 20\n  because: it is a whole number from 1 to 8\n  try: change it, or leave it out for the default`,
  ],
  [
    'the facts of another vocabulary',
    { evaluation: { task: { facts: 'elements' } } },
    `'evaluation.task' of the config\n  because: it makes a task of 475 words that are not the 974 of the policy\n  try: leave out the setting that changes the words, as facts`,
  ],
  [
    'another task',
    { evaluation: { task: { name: 'recall' } } },
    `'evaluation.task.name' of the config is "recall"\n  because: Invalid input: expected "country-search"\n  try: change it, or leave it out for the default`,
  ],
  [
    'the facts of another vocabulary in a stage of the warm start',
    { init: 'random', supervised: { stages: [{ steps: 1 }, { steps: 1, task: { facts: 'elements' } }] } },
    `'supervised.stages.1.task' of the config\n  because: it makes a task of 475 words that are not the 974 of the policy\n  try: leave out the setting that changes the words, as facts`,
  ],
])('refuses %s', async (_, draft, said) => {
  expect(await refused(draft)).toEqual([said])
})
