import { cpSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { openCpu } from '../../../backends/cpu/index.js'
import { mul } from '../../../dsl/index.js'
import { disk, renderRunFault, renderRunFolderError, resumeRun } from '../../../training/index.js'
import { diskWithRoom, place } from './folders.js'
import { model, run, tinyPlan } from './tiny-run.js'

const whole = place()

beforeAll(async () => {
  await run({ folder: whole })
}, 240_000)

const { adapter, features } = openCpu().facts
const here = { seed: 1, adapter, fma: features.includes('relaxed-simd') }

/** What is said where a run is resumed whose newest checkpoint something happened to. */
const saidOf = async (harm: (checkpoint: string) => void, ofModel = model): Promise<string> => {
  const folder = place()
  cpSync(whole, folder, { recursive: true })
  harm(join(folder, 'checkpoints', '000008'))
  const before = readFileSync(join(folder, 'metrics.jsonl'), 'utf8')
  const resumed = await resumeRun(disk, folder, ofModel, tinyPlan(), here)()
  expect(readFileSync(join(folder, 'metrics.jsonl'), 'utf8')).toBe(before)
  return E.isLeft(resumed) ? renderRunFolderError(resumed.left).replaceAll(folder, 'RUN') : 'resumed'
}

const changed = (file: string, change: (bytes: Buffer) => void): void => {
  const bytes = readFileSync(file)
  change(bytes)
  writeFileSync(file, bytes)
}

const headerOf = (bytes: Buffer): string => bytes.subarray(8, 8 + Number(bytes.readBigUInt64LE())).toString()

describe('a checkpoint', () => {
  const tensors = ['model', 'optimizer'] as const

  test.each(tensors)('that is cut is refused, and the one before it named: %s', async (name) => {
    const said = await saidOf((at) => {
      truncateSync(join(at, `${name}.safetensors`), 2000)
    })
    expect(said.split('\n')).toHaveLength(3)
    expect(said).toMatch(/^checkpoint 000008 of RUN\n {2}because: .*/)
    expect(said).toContain('try: go back to the checkpoint before: echo 000006 > RUN/latest')
  })

  test.each(tensors)('with a number that is none is refused: %s', async (name) => {
    const said = await saidOf((at) => {
      changed(join(at, `${name}.safetensors`), (bytes) => bytes.writeFloatLE(NaN, bytes.length - 4))
    })
    expect(said).toContain('is NaN')
  })

  test.each(tensors)('with tensors that lie on each other is refused: %s', async (name) => {
    const said = await saidOf((at) => {
      changed(join(at, `${name}.safetensors`), (bytes) => {
        const header = headerOf(bytes)
        const [, from = '', to = ''] = /"data_offsets":\[(\d+),(\d+)\]/.exec(header) ?? []
        const moved = header.replaceAll(/"data_offsets":\[(\d+),(\d+)\]/g, ({ length }: string) =>
          `"data_offsets":[${from},${to}]`.padEnd(length),
        )
        bytes.write(moved, 8)
      })
    })
    expect(said).toMatch(/because: RUN.*safetensors: tensor '.*: /)
  })

  test('of another model is refused', async () => {
    const other = { ...model, config: { ...model.config, layers: 2 } }
    expect(await saidOf(() => undefined, other)).toContain('its sizes are not those of the run')
  })

  test.each([
    ['empty', ''],
    ['cut', '{"step": 8, "sta'],
    ['of other fields', '{"step": -1}'],
  ])('whose state.json is %s is refused', async (_, text) => {
    const said = await saidOf((at) => {
      writeFileSync(join(at, 'state.json'), text)
    })
    expect(said.split('\n')).toHaveLength(3)
    expect(said).toContain('state.json')
  })

  test('that is not there is refused, and so is a folder without any', async () => {
    const without = (path: string) => (at: string) => {
      rmSync(join(at, path), { recursive: true })
    }
    expect(await saidOf(without('.'))).toContain('no such file')
    expect(await saidOf(without('../../latest'))).toContain('it ended before its first checkpoint')
  })
})

describe('a full disk', () => {
  // The first checkpoint has some 10 kB: there is no room in it, after it, and in one later on.
  test.each([5_000, 11_500, 25_000])('with room for %i bytes ends the run with what was saved before', async (room) => {
    const folder = place()
    const ended = await run({ folder, files: diskWithRoom(room) })
    expect(ended).toMatchObject({ left: { tag: 'folder', error: { tag: 'cannotWrite' } } })
    expect(ended !== undefined && E.isLeft(ended) && renderRunFault(ended.left).split('\n')).toHaveLength(3)

    const saved = existsSync(join(folder, 'checkpoints')) ? readdirSync(join(folder, 'checkpoints')) : []
    expect(saved.filter((name) => name.endsWith('.new'))).toEqual([])
    expect(saved.length === 0).toBe(room === 5_000)
    if (saved.length === 0) return
    await run({ folder, isResumed: true })
    expect(readFileSync(join(folder, 'metrics.jsonl'), 'utf8')).toBe(readFileSync(join(whole, 'metrics.jsonl'), 'utf8'))
  })
})

describe('a step that is not finite', () => {
  test('ends the run there, and leaves the batch', async () => {
    const folder = place()
    const plan = tinyPlan()
    const recipe: typeof plan.recipe = { ...plan.recipe, loss: (inputs, step) => mul(plan.recipe.loss(inputs, step), Infinity) }
    const ended = await run({ folder, plan: { ...plan, recipe } })
    const batch = join(folder, 'faults', '000005.json')

    expect(ended).toMatchObject({ left: { tag: 'training', step: 5, error: { tag: 'notFinite' }, batch } })
    const said = ended !== undefined && E.isLeft(ended) ? renderRunFault(ended.left) : ''
    expect(said.split('\n')).toHaveLength(3)
    expect(said).toMatch(/^step 5, update 1\n {2}because: (loss|the gradient norm) is /)
    expect(JSON.parse(readFileSync(batch, 'utf8'))).toMatchObject({ step: 5, seed: 1, batch: expect.arrayContaining([]) as unknown })
    expect(readFileSync(join(folder, 'latest'), 'utf8')).toBe('000004\n')
  })
})

test('a folder with a run in it is left as it is', async () => {
  await expect(run({ folder: whole })).rejects.toThrow(/--out .*\n {2}because: there is a run in this folder/)
})
