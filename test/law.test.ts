import fc from 'fast-check'
import { expect, test } from 'vitest'
import { law, parametersFrom, renderBroken } from './law.js'

law(
  'a sum does not depend on the order of its terms',
  fc.property(fc.integer(), fc.integer(), (a, b) => a + b === b + a),
)

law(
  'a property may be asynchronous',
  fc.asyncProperty(fc.nat(), async (n) => (await Promise.resolve(n)) === n),
  { runs: 10 },
)

const small = fc.property(fc.nat(), (n) => n < 10)

test('a broken law reports the smallest input and a command that finds it again', () => {
  const report = renderBroken('naturals (all of them) are "small"', fc.check(small, { seed: 1 }))
  const [, path] = /SHRINK_PATH=(\S+)/.exec(report) ?? []

  expect(report.replace(/\(after.*\)/, '(after …)').replace(path ?? '', 'PATH')).toBe(
    [
      'law broken: naturals (all of them) are "small"',
      '  counterexample: 10   (after …)',
      '  replay: SEED=1 SHRINK_PATH=PATH npx vitest run -t "naturals .all of them. are .small."',
    ].join('\n'),
  )
  const replayed = fc.check(small, parametersFrom({ SEED: '1', ...(path && { SHRINK_PATH: path }) }, {}))
  expect(replayed).toMatchObject({ counterexample: [10], numShrinks: 0 })
})

test('a law whose precondition is never met is not taken for true', () => {
  const vacuous = fc.property(fc.nat(), () => fc.pre(false))

  expect(renderBroken('nothing is tried', fc.check(vacuous))).toContain('law untested: nothing is tried')
})

test('RUNS sets or multiplies the number of runs, SEED and SHRINK_PATH choose the inputs', () => {
  expect(parametersFrom({}, {})).toEqual({ numRuns: 100, seed: 1, path: '' })
  expect(parametersFrom({ RUNS: '7', SEED: '-3' }, { runs: 20 })).toEqual({ numRuns: 7, seed: -3, path: '' })
  expect(parametersFrom({ RUNS: '2.5x', SHRINK_PATH: '2:0' }, { runs: 20 })).toEqual({ numRuns: 50, seed: 1, path: '2:0' })
})
