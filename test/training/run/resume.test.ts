import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { readModel } from '../../../models/index.js'
import { right } from '../../right.js'
import { disk, resumeRun } from '../../../training/index.js'
import { place } from './folders.js'
import { all, finished, model, run, tinyPlan } from './tiny-run.js'

/** Every byte that a run leaves, but for its times. */
const bytesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'timing.jsonl')
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(folder.length), readFileSync(file).toString('base64')]),
  )

const algorithms = ['grpo', 'ppo'] as const
type Algorithm = (typeof algorithms)[number]

/** The runs that nothing happens to. */
const folders: { readonly [A in Algorithm]: string } = { grpo: place(), ppo: place() }
const whole = (algorithm: Algorithm = 'grpo') => bytesOf(folders[algorithm])

beforeAll(async () => {
  for (const algorithm of algorithms) await finished({ folder: folders[algorithm], plan: tinyPlan(algorithm) })
}, 60_000)

describe('a run', () => {
  test('leaves checkpoints, metrics and transcripts', () => {
    expect(Object.keys(whole()).filter((file) => !file.includes('checkpoints/'))).toEqual([
      '/config.json',
      '/latest',
      '/metrics.jsonl',
      ...['000006', '000008'].map((step) => `/transcripts/${step}.txt`),
    ])
    expect(Object.keys(whole()).filter((file) => file.endsWith('model.safetensors'))).toEqual(
      ['000000', '000003', '000004', '000006', '000008'].map((step) => `/checkpoints/${step}/model.safetensors`),
    )
  })

  test('gives the same bits again, and with two threads', async () => {
    const folder = place()
    await finished({ folder, threads: 2 })

    expect(bytesOf(folder)).toEqual(whole())
  })

  test('gives other bits by another seed', async () => {
    const folder = place()
    await finished({ folder, plan: tinyPlan('grpo', 2) })

    expect(bytesOf(folder)['/metrics.jsonl']).not.toBe(whole()['/metrics.jsonl'])
  })

  // In the warm start, between the stages, and in the reinforcement.
  test.each([
    [9, 'grpo'],
    [17, 'ppo'],
    [25, 'ppo'],
  ] as const)('left after %i events is resumed to the same bits (%s)', async (killedAfter, algorithm) => {
    const folder = place()
    const plan = tinyPlan(algorithm)
    expect(await run({ folder, plan, killedAfter })).toBeUndefined()
    const line = readFileSync(join(folder, 'metrics.jsonl'), 'utf8')
    writeFileSync(join(folder, 'metrics.jsonl'), `${line}{"step":${String(random.integer(random.key(killedAfter), 0, 9))},"lo`)
    await finished({ folder, plan, isResumed: true })

    expect(bytesOf(folder)).toEqual(whole(algorithm))
  })

  test('asked to stop is saved after the step at hand, and goes on to the same numbers', async () => {
    const folder = place()
    expect(await finished({ folder, stoppedAfter: 5 })).toEqual({ tag: 'stopped', step: 5 })
    expect(readFileSync(join(folder, 'latest'), 'utf8')).toBe('000005\n')
    expect(await finished({ folder, isResumed: true })).toEqual({ tag: 'finished' })

    const { '/metrics.jsonl': metrics, '/checkpoints/000008/optimizer.safetensors': moments } = bytesOf(folder)
    expect({ metrics, moments }).toEqual({
      metrics: whole()['/metrics.jsonl'],
      moments: whole()['/checkpoints/000008/optimizer.safetensors'],
    })
  })

  test('that was finished has nothing left to do', async () => {
    const before = whole()
    await finished({ folder: folders.grpo, isResumed: true })

    expect(whole()).toEqual(before)
  })

  test("keeps its policy as Hugging Face's readers have it", async () => {
    const { config, stopIds } = right(await readModel(join(folders.grpo, 'checkpoints', '000008'))())

    expect(config).toMatchObject(model.config)
    expect(stopIds).toEqual(model.stopIds)
  })

  test('is resumed on a device that rounds alike alone, and by its own seed', async () => {
    const folder = folders.grpo
    const plan = tinyPlan()
    const { features, adapter } = openCpu().facts
    const here = { seed: plan.seed, adapter, fma: features.includes('relaxed-simd') }
    const refused = async (there: Partial<typeof here>) => resumeRun(disk, folder, model, plan, { ...here, ...there })()

    expect(await refused({ fma: !here.fma })).toMatchObject({ left: { tag: 'differs', what: 'the arithmetic' } })
    expect(await refused({ adapter: 'lavapipe' })).toMatchObject({ left: { tag: 'differs', what: 'the arithmetic' } })
    expect(await refused({ seed: 2 })).toMatchObject({ left: { tag: 'differs', run: '1', asked: '2' } })
    expect(await refused({})).toMatchObject({ right: { progress: { step: all } } })
  })
})
