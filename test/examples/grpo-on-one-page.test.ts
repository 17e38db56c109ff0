import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the page prints, run to its end: a process that does not exit by itself is waited for until the test's time is up. */
const page = (...settings: readonly number[]) =>
  promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'examples/grpo-on-one-page.ts', ...settings.map(String)], {
    cwd: root,
  })

/** The lines of a stage, without the seconds. */
const linesOf = (stage: string, text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.replace(/^ *[\d.]+ s/, '').trim())
    .filter((line) => line.startsWith(stage))

const rewardOf = (line = ''): number => Number(/reward (\S+)/.exec(line)?.[1])

test('the reward rises, in training and on problems never trained on; a seed gives the same numbers each time', async () => {
  const [{ stdout, stderr }, again] = await Promise.all([page(1, 20, 60), page(1, 0, 60)])
  expect(stderr).toBe('')

  const training = linesOf('reinforcement', stdout)
  expect(training[0]).toMatch(/^reinforcement {3}step {2}10 {3}loss +-?\d\.\d{3} {3}reward \d\.\d{3} {3}exact +\d+ %$/)
  const [first, last] = [training[0], training.at(-1)].map(rewardOf)
  expect(last).toBeGreaterThan(first!)

  const [before, after] = ['after imitation', 'after reinforcement'].map((stage) => rewardOf(linesOf(stage, stdout)[0]))
  expect(after).toBeGreaterThan(before!)

  const repeated = { imitation: 6, 'after imitation': 1 }
  for (const [stage, lines] of Object.entries(repeated)) {
    expect(linesOf(stage, stdout)).toHaveLength(lines)
    expect(linesOf(stage, again.stdout)).toEqual(linesOf(stage, stdout))
  }
}, 200_000)
