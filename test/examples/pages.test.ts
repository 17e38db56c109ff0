import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

/** What a page prints. One that fails, or finds that a relation does not hold, exits with 1, which rejects. */
const page = async (name: string): Promise<readonly string[]> => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', `examples/${name}.ts`], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
  })
  expect(stderr).toBe('')
  return stdout.split('\n')
}

test('from reward to loss: every relation holds, and every tensor has its axes', async () => {
  const lines = await page('reward-to-loss')
  expect(lines.filter((line) => line.startsWith('holds'))).toHaveLength(10)
  expect(lines).toContain('advantages (GRPO)  [batch]')
  expect(lines).toContain('ratio  [batch, time]')
})

test('one loss or two: they agree without a clip, and a token is found that two lose', async () => {
  const lines = await page('one-loss-or-two')
  expect(lines[0]).toBe('unclipped: the gradients agree in 100 of 100 cases')
  expect(lines[1]).toBe('clipped: two losses throw a token out of the band [0.8, 1.2]')
  expect(lines).toContain('  ratio 1.3: one loss, left alone (0.00); two, less likely (1.04)')
})

test('where they disagree: the page in docs is what its command prints', async () => {
  expect((await page('where-they-disagree')).join('\n')).toBe(
    readFileSync(new URL('../../docs/where-they-disagree.md', import.meta.url), 'utf8'),
  )
})
