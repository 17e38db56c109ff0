import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))

test('the loss passes, the one whose weight nobody stopped fails, and the law holds', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['node_modules/tsx/dist/cli.mjs', 'examples/verify-a-loss.ts'], {
    cwd: root,
  })
  expect(stderr).toBe('')

  const lines = stdout.split('\n')
  expect(lines.filter((line) => /^\S/.test(line))).toEqual([
    'passed  weighted',
    'FAILED  weighted, unstopped',
    "the gradient by 'logProbs' of the loss 'weighted, unstopped'",
    'holds   what the mask hides changes nothing',
  ])
  const gradients = lines.filter((line) => line.startsWith('  logProbs ')).map((line) => line.replace(/\.ts:\d+:\d+/, '.ts:LINE'))
  expect(gradients).toEqual([
    '  logProbs      gradient, on other paths stopped at examples/verify-a-loss.ts:LINE',
    '  logProbs      gradient',
  ])
}, 60_000)
