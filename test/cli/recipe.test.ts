import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { renderCommandError } from '../../cli/errors.js'
import { loadRecipe } from '../../cli/recipe.js'
import { fixture } from './axgrad.js'

test('a loss of a file is a recipe', async () => {
  const made = await loadRecipe(fixture('trainable'), 'good')()
  expect(made).toMatchObject(E.right({ name: 'good', inParts: true }))
  expect(await loadRecipe('grpo')()).toMatchObject(E.right({ name: 'grpo' }))
})

const written = (text: string): string => {
  mkdirSync('.tmp', { recursive: true })
  const file = join(mkdtempSync('.tmp/loss-'), 'loss.ts')
  writeFileSync(file, text)
  return file
}

test.each<[string, () => string, string | undefined, readonly string[]]>([
  ['a file that is not there', () => 'no-such-loss.ts', undefined, ['no-such-loss.ts', 'no such file']],
  ['a file that does not compile', () => written('export const loss = {\n  a: = 1,\n}\n'), undefined, ['does not compile', 'loss.ts:2:5']],
  ['a file without a loss', () => fixture('none'), undefined, ["exports 'answer'"]],
  ['a file of several', () => fixture('trainable'), undefined, ['--loss', "'good', 'misspelt', 'per token'", '--only']],
  ['a loss that is no scalar', () => fixture('trainable'), 'per token', ["'per token'", 'f32[batch: batch, time: time]']],
  ['an input that a trainer has not', () => fixture('trainable'), 'misspelt', ["'oldLogProb'", "did you mean 'oldLogProbs'?"]],
  ['a fault in its graph', () => fixture('trainable'), 'amiss', ['mul at', 'was given f32, bool']],
  ['a loss that throws', () => fixture('throws'), 'bad', ["'logProbs'"]],
])('%s is refused, in three lines for each fault', async (_, file, only, words) => {
  const made = await loadRecipe(file(), only)()
  if (E.isRight(made)) throw new Error('it was not refused')
  const text = renderCommandError(made.left)
  const lines = text.split('\n')
  expect(lines.filter((line) => line.startsWith('  because: '))).toHaveLength(lines.length / 3)
  expect(lines.filter((line) => line.startsWith('  try: '))).toHaveLength(lines.length / 3)
  for (const word of words) expect(text).toContain(word)
})
