import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { folder, place } from '../../training/run/folders.js'
import { axgrad } from '../axgrad.js'
import { killedAt, numbersAt } from './killed.js'

const steps = 6

/** MemPO from the warm start that comes with the task: a policy that searches, remembers and answers. */
const config = join(folder(), 'country-search.json')
writeFileSync(
  config,
  JSON.stringify({
    task: { name: 'country-search', objectives: { 1: 1, 2: 1 } },
    reinforcement: { steps, questions: 2, answers: 3, miniBatches: 2 },
    evaluation: { questions: 2 },
    checkpoint: { every: 2 },
  }),
)

interface Line {
  readonly stage: string
  readonly reward: { readonly std: number }
  readonly memory?: { readonly reward: { readonly std: number } }
}

test('country search killed at any step is resumed to the same parameters and the same metrics', async () => {
  const [whole, run] = [place(), place()]
  expect(await axgrad('train', config, '--out', whole)).toMatchObject({ code: 0, err: '' })
  const lines = 1 + random.integer(random.key(11), 0, steps)
  expect(await killedAt(lines, config, run)).toBe('SIGKILL')
  expect(await axgrad('train', '--resume', run)).toMatchObject({ code: 0, err: '' })
  expect(numbersAt(run, steps)).toEqual(numbersAt(whole, steps))

  const reinforced = readFileSync(join(whole, 'metrics.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .filter(({ stage }) => stage === 'reinforcement')
  expect(reinforced).toHaveLength(steps)
  expect(reinforced.some(({ reward, memory }) => reward.std > 0 && memory !== undefined && memory.reward.std > 0)).toBe(true)
}, 240_000)
