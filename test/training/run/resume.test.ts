import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { readModel } from '../../../models/index.js'
import { right } from '../../right.js'
import { disk, resumeRun } from '../../../training/index.js'
import { place } from './folders.js'
import { all, finished, model, paidPlan, run, tinyPlan, warm } from './tiny-run.js'

/** Every byte that a run leaves, but for its times. */
const bytesOf = (folder: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && entry.name !== 'timing.jsonl')
      .map((entry) => join(entry.parentPath, entry.name))
      .toSorted()
      .map((file) => [file.slice(folder.length), readFileSync(file).toString('base64')]),
  )

const algorithms = ['grpo', 'ppo', 'paid by a model'] as const
type Algorithm = (typeof algorithms)[number]

/** The runs that nothing happens to. */
const folders: { readonly [A in Algorithm]: string } = { grpo: place(), ppo: place(), 'paid by a model': place() }

const planOf = (algorithm: Algorithm): ReturnType<typeof tinyPlan> => (algorithm === 'paid by a model' ? paidPlan : tinyPlan(algorithm))
const whole = (algorithm: Algorithm = 'grpo') => bytesOf(folders[algorithm])

beforeAll(async () => {
  for (const algorithm of algorithms) await finished({ folder: folders[algorithm], plan: planOf(algorithm) })
}, 240_000)

describe('a run', () => {
  test('leaves checkpoints, metrics and transcripts', () => {
    expect(Object.keys(whole()).filter((file) => !file.includes('checkpoints/'))).toEqual([
      '/best',
      '/config.json',
      '/latest',
      '/metrics.jsonl',
      ...['000006', '000008'].flatMap((step) => [`/transcripts/${step}.jsonl`, `/transcripts/${step}.txt`]),
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

  // In the warm start, between the stages, in each of those that come after it.
  test.each([
    [9, 'grpo'],
    [17, 'ppo'],
    [25, 'ppo'],
    [19, 'paid by a model'],
    [33, 'paid by a model'],
  ] as const)('left after %i events is resumed to the same bits (%s)', async (killedAfter, algorithm) => {
    const folder = place()
    const plan = planOf(algorithm)
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

  // The beginning, in a stage, the end of the warm start, the end of the run.
  test.each([
    [0, '000000'],
    [2, '000002'],
    [4, '000004'],
  ])('asked to stop after step %i stops there, at the end of a stage too', async (stoppedAfter, latest) => {
    const folder = place()
    expect(await finished({ folder, stoppedAfter })).toEqual({ tag: 'stopped', step: stoppedAfter })
    expect(readFileSync(join(folder, 'latest'), 'utf8')).toBe(`${latest}\n`)
  })

  test('asked to stop at its end has ended', async () => {
    expect(await finished({ folder: place(), stoppedAfter: all })).toEqual({ tag: 'finished' })
  })

  test('keeps the newest checkpoints, the best, and the one that the reinforcement began with', async () => {
    const folder = place()
    await finished({ folder, keep: { newest: 1, base: warm } })
    const best = readFileSync(join(folder, 'best'), 'utf8').trim()
    const rewards = readFileSync(join(folder, 'metrics.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(
        (line) =>
          JSON.parse(line) as {
            readonly step: number
            readonly stage: string
            readonly greedy: { readonly reward: { readonly mean: number } }
          },
      )
      .filter(({ stage }) => stage === 'evaluation')
      .map(({ step, greedy }) => [step, greedy.reward.mean] as const)
    const most = Math.max(...rewards.map(([, mean]) => mean))

    expect(Number(best)).toBe(rewards.find(([, mean]) => mean === most)?.[0])
    expect(readdirSync(join(folder, 'checkpoints')).toSorted()).toEqual([...new Set(['000004', '000008', best])].toSorted())
    await finished({ folder, isResumed: true })
  })

  test('whose reinforcement pays by a model says of each step what that learnt, and pays by it', () => {
    const lines = readFileSync(join(folders['paid by a model'], 'metrics.jsonl'), 'utf8').trimEnd().split('\n')
    const read = lines.map((line) => JSON.parse(line) as Readonly<Record<string, unknown>>)
    const compared = read.filter(({ stage }) => stage === 'rewardModel')
    expect(compared.map(({ step }) => step)).toEqual([5, 6, 7, 8, 9])
    expect(compared.some(({ pairs, right }) => Number(pairs) > 0 && typeof right === 'number')).toBe(true)
    const reinforced = read.filter(({ stage }) => stage === 'reinforcement')
    expect(reinforced.some(({ reward, paid }) => JSON.stringify(reward) !== JSON.stringify(paid))).toBe(true)
  })

  test('that was finished has nothing left to do', async () => {
    const before = whole()
    await finished({ folder: folders.grpo, isResumed: true })

    expect(whole()).toEqual(before)
  })

  test("keeps its policy as Hugging Face's readers have it", async () => {
    const { config, stopIds, tokenizer } = right(await readModel(join(folders.grpo, 'checkpoints', '000008'))())

    expect(config).toMatchObject(model.config)
    expect(stopIds).toEqual(model.stopIds)
    expect(tokenizer?.encode('x 3 y 5 ;')).toEqual(E.right([10, 3, 11, 5, 16]))
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
