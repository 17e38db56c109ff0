import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { configOf } from '../../../cli/run/config.js'
import { initialOf } from '../../../cli/run/initial.js'
import { prepareRun } from '../../../cli/run/plan.js'
import { right } from '../../right.js'
import { folder, place } from '../../training/run/folders.js'
import { axgrad } from '../axgrad.js'

const tiny = {
  task: { name: 'recall', names: 2 },
  model: { embed: 8, layers: 1, heads: 1, headDim: 4, ffn: 8 },
  supervised: { stages: [{ steps: 3 }], rows: 4 },
  reinforcement: { steps: 1, questions: 2, answers: 2, loss: { beta: 0 } },
  evaluation: { questions: 2 },
}

const written = (config: unknown): string => {
  const file = join(folder(), 'config.json')
  writeFileSync(file, JSON.stringify(config))
  return file
}

const config = written(tiny)
const taught = place()
const checkpoint = join(taught, 'checkpoints/000004')

const weights = (at: string): string => readFileSync(join(at, 'model.safetensors')).toString('base64')

beforeAll(async () => {
  expect((await axgrad('train', config, '--out', taught)).code).toBe(0)
}, 60_000)

test('a policy begins as a checkpoint has it, and is not taught again', async () => {
  const run = place()
  expect((await axgrad('train', config, '--init', checkpoint, '--out', run)).code).toBe(0)
  expect(weights(join(run, 'checkpoints/000000'))).toBe(weights(checkpoint))
  expect(readFileSync(join(run, 'metrics.jsonl'), 'utf8')).not.toContain('supervised')
})

test('a run is resumed where the checkpoint that it began with is gone', async () => {
  const [run, copy] = [place(), place()]
  cpSync(checkpoint, copy, { recursive: true })
  expect((await axgrad('train', config, '--init', copy, '--out', run)).code).toBe(0)
  rmSync(copy, { recursive: true })
  expect(await axgrad('train', '--resume', run, '--steps', '2')).toMatchObject({ code: 0, err: '' })
})

test('the warm start that comes with country search is of its model and its words', async () => {
  const prepared = right(await prepareRun(right(configOf([], false)))())
  const policy = right(await initialOf(prepared)())
  expect(policy?.embedding.sizes).toEqual([prepared.model.config.vocab, prepared.model.config.embed])
})

describe('refuses to begin with', () => {
  const [damaged, renamed] = [place(), place()]
  const others = {
    'a folder that is not there': { config, init: 'nowhere', says: 'no such file' },
    'another model': { config: written({ ...tiny, model: { ...tiny.model, ffn: 4 } }), init: checkpoint, says: 'sizes are not those' },
    'a model of other words': { config, init: renamed, says: 'its words are not those of the run' },
    'a file that was cut': { config, init: damaged, says: 'model.safetensors' },
  }

  beforeAll(() => {
    cpSync(checkpoint, damaged, { recursive: true })
    const file = join(damaged, 'model.safetensors')
    writeFileSync(file, readFileSync(file).subarray(0, 100))
    cpSync(checkpoint, renamed, { recursive: true })
    const words = join(renamed, 'tokenizer.json')
    writeFileSync(words, readFileSync(words, 'utf8').replace('"vocab":{"', '"vocab":{"x'))
  })

  test.each(Object.entries(others))('%s, in three lines', async (_, { config: given, init, says }) => {
    const { code, err } = await axgrad('train', given, '--init', init, '--out', place())
    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toHaveLength(3)
    expect(err).toContain(says)
  })
})
