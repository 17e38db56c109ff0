import { describe, expect, test } from 'vitest'
import { kinds } from './mistake.js'
import { subjects } from './subjects.js'

/*
 * A verifier that never caught a wrong derivative has not been tested. `npm run mutants` tries all mutants of all rows; here are two of each
 * kind, of some rows, on few cases.
 */

const made = subjects(1, { cases: 40, programs: 3 }).map(({ name, passes, trials }) => ({ name, passes, trials: trials() }))

const rows = [
  'partials.floor',
  'partials.mul',
  'partials.max',
  'partials.select',
  'nodes.broadcast',
  'nodes.scatterAdd',
  'nodes.linearRecurrence',
  'nodes.stopGradient',
  'losses.cispo',
]

const sampled = made.filter(({ name }) => rows.includes(name)).flatMap(({ trials }) => trials)

test('every row through which a derivative passes has mutants, and what is stopped; no other has', () => {
  const mutated = made.filter(({ trials }) => trials.length > 0).map(({ name }) => name)
  expect(mutated).toEqual(made.filter(({ name, passes }) => passes || name === 'nodes.stopGradient').map(({ name }) => name))
})

describe('it is found that something was', () => {
  test.each(kinds)('%s', (kind) => {
    const own = sampled.filter((trial) => trial.kind === kind)
    const some = [own[0], own.at(-1)].flatMap((trial) => trial ?? [])

    expect(some.length).toBeGreaterThan(0)
    expect(some.filter(({ judged }) => judged() === undefined).map(({ text }) => text)).toEqual([])
  })
})
