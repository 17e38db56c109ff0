import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { configOf, taskAt } from '../../../cli/run/config.js'
import { renderConfigError } from '../../../cli/run/config-error.js'
import type { Draft } from '../../../cli/run/defaults.js'
import { taskSchemas } from '../../../cli/run/schema.js'
import { right } from '../../right.js'

const refused = (...drafts: readonly Draft[]): readonly string[] => {
  const made = configOf(drafts, false)
  return E.isLeft(made) ? made.left.map(renderConfigError) : []
}

describe('what a run is told', () => {
  test.each(Object.keys(taskSchemas).flatMap((name) => [false, true].map((isQuick) => [name, isQuick] as const)))(
    'is whole by the defaults of the task %s (quick: %s)',
    (name, isQuick) => {
      expect(right(configOf([{ task: { name } }], isQuick)).task.name).toBe(name)
    },
  )

  test('is the later over the earlier, and what a file says of another task is left out', () => {
    const file = { seed: 5, task: { name: 'recall', names: 4 }, reinforcement: { steps: 7 } }
    const config = right(configOf([file, { task: { name: 'countdown' }, reinforcement: { questions: 2 } }], false))

    expect(config.task).toEqual({ name: 'countdown', count: 2, reward: 'exact' })
    expect(config).toMatchObject({ seed: 5, reinforcement: { steps: 7, questions: 2 } })
  })

  test('is a mix of objectives as it was said last, with none of those said before', () => {
    const config = right(
      configOf([{ task: { name: 'country-search', objectives: { 2: 1, 4: 1 } } }, { task: { objectives: { 1: 3 } } }], false),
    )

    expect(config.task).toMatchObject({ objectives: { 1: 3 } })
    expect(Object.keys((config.task as { readonly objectives: object }).objectives)).toEqual(['1'])
    expect(right(taskAt(config.task, { objectives: { 5: 1 } }, ['evaluation', 'task']))).toHaveProperty('objectives', { 5: 1 })
  })

  test('says all that is wrong, with the setting that may have been meant', () => {
    expect(refused({ sed: 1, reinforcement: { lerningRate: 1, answers: 0 }, task: { name: 'countdown', cuont: 3 } })).toEqual([
      `'cuont' in 'task' of the config\n  because: there is no such setting\n  try: did you mean 'count'?`,
      `'reinforcement.answers' of the config is 0\n  because: Too small: expected number to be >0\n  try: change it, or leave it out for the default`,
      `'lerningRate' in 'reinforcement' of the config\n  because: there is no such setting\n  try: did you mean 'learningRate'?`,
      `'sed' in the config\n  because: there is no such setting\n  try: did you mean 'seed'?`,
    ])
  })

  test('says that there is no such task', () => {
    expect(refused({ task: { name: 'countdwn' } })).toEqual([
      `the task 'countdwn'\n  because: there is 'countdown', 'recall', 'country-search'\n  try: did you mean 'countdown'?`,
    ])
  })
})
