import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** What the page prints in ten steps of each kind, and how it ends. */
const page = (seed: number) =>
  promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'examples/grpo-on-one-page.ts', String(seed), '10'], {
    cwd: root,
  })

const withoutSeconds = (text: string): string => text.replace(/^ *[\d.]+ s/gm, '')

test('the page runs to its end by itself, and a seed gives the same numbers each time', async () => {
  const [first, again] = [await page(1), await page(1)]
  expect(first.stderr).toBe('')
  expect(first.stdout).toMatch(/^ +[\d.]+ s {3}imitation {7}step {2}10 {3}loss {2}\d\.\d{3}\n/)
  expect(first.stdout).toMatch(/reinforcement {3}step {2}10 {3}loss +-?\d\.\d{3} {3}reward \d\.\d{3} {3}exact +\d+ %\n/)
  expect(first.stdout).toMatch(/after imitation .*\n {2}after reinforcement .*\n$/)
  expect(withoutSeconds(again.stdout)).toBe(withoutSeconds(first.stdout))
}, 200_000)
