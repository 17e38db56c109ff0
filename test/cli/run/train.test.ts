import { spawn } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { folder, place } from '../../training/run/folders.js'
import { axgrad } from '../axgrad.js'

const tiny = {
  task: { name: 'recall', names: 2 },
  model: { embed: 8, layers: 1, heads: 1, headDim: 4, ffn: 8 },
  supervised: { stages: [{ steps: 12 }], rows: 4 },
  reinforcement: { steps: 12, questions: 2, answers: 4, loss: { beta: 0 } },
  evaluation: { questions: 4 },
  checkpoint: { every: 5 },
}

const config = join(folder(), 'tiny.json')
writeFileSync(config, JSON.stringify(tiny))

const broken = join(folder(), 'broken.ts')
writeFileSync(broken, 'export const loss = defineLoss({')

const whole = place()
let first: Awaited<ReturnType<typeof axgrad>>

beforeAll(async () => {
  first = await axgrad('train', config, '--out', whole)
}, 60_000)

const numbersIn = (run: string): readonly string[] =>
  ['metrics.jsonl', 'latest', 'checkpoints/000024/model.safetensors', 'checkpoints/000024/optimizer.safetensors'].map((file) =>
    readFileSync(join(run, file)).toString('base64'),
  )

const linesOf = (run: string): number => {
  const file = join(run, 'metrics.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').length - 1 : 0
}

/** The command in a process of its own, which is killed once it has written so many lines. */
const killedAt = (lines: number, run: string): Promise<NodeJS.Signals | null> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ['--import', 'tsx', 'cli/main.ts', 'train', config, '--out', run], { stdio: 'ignore' })
    const watch = setInterval(() => {
      if (linesOf(run) >= lines) child.kill('SIGKILL')
    }, 1)
    child.on('exit', (_, signal) => {
      clearInterval(watch)
      resolve(signal)
    })
  })

describe('axgrad train', () => {
  test('says what it runs on, what it does and what came of it', () => {
    expect(first).toMatchObject({ code: 0, err: '' })
    for (const said of [
      '{"seed":1,',
      'device      WebAssembly',
      'parameters',
      'critic      none',
      'compiling grpo',
      'after step 12: greedy',
      'before',
      'after',
    ])
      expect(first.out).toContain(said)
    expect(JSON.parse(readFileSync(join(whole, 'config.json'), 'utf8'))).toMatchObject({ axgrad: '0.1.0', seed: 1, config: tiny })
  })

  test('killed at any step is resumed to the same parameters and the same metrics', async () => {
    const run = place()
    const lines = 1 + random.integer(random.key(7), 0, 23)
    expect(await killedAt(lines, run)).toBe('SIGKILL')
    expect((await axgrad('train', '--resume', run)).code).toBe(0)
    expect(numbersIn(run)).toEqual(numbersIn(whole))
  })

  test.each([
    ['a setting that there is none of', ['--task', 'countdwn'], `did you mean 'countdown'?`],
    ['an unknown algorithm', ['--algorithm', 'grp'], `did you mean 'grpo'?`],
    ['two losses', ['--algorithm', 'grpo', '--loss', 'x.ts'], 'give one of them'],
    ['a loss that does not compile', ['--loss', broken], 'does not compile'],
    ['a folder that has a run', ['--out', whole], 'there is a run in this folder'],
    ['a folder without a run', ['--resume', 'test'], 'no such file'],
    ['another seed for a run', ['--resume', whole, '--seed', '2'], `'seed' of the run to resume`],
    ['other bits for a run', ['--resume', whole, '--strict'], 'fused multiply-adds'],
  ])('refuses %s in three lines', async (_, flags, said) => {
    const { code, err } = await axgrad('train', ...(flags.includes('--resume') ? [] : [config]), ...flags)
    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toHaveLength(3)
    expect(err).toContain(said)
  })

  test('says which settings have a slip', async () => {
    const file = join(folder(), 'typo.json')
    writeFileSync(file, JSON.stringify({ ...tiny, modle: {} }))
    expect((await axgrad('train', file)).err).toBe(
      `'modle' in the config\n  because: there is no such setting\n  try: did you mean 'model'?\n`,
    )
  })
})

test('axgrad eval measures the policy as the run did', async () => {
  const { out, code } = await axgrad('eval', whole, '--json')
  const last = readFileSync(join(whole, 'metrics.jsonl'), 'utf8').trimEnd().split('\n').at(-1) ?? ''
  const { stage, ...evaluation } = JSON.parse(last) as Readonly<Record<string, unknown>>
  expect([code, stage]).toEqual([0, 'evaluation'])
  expect(JSON.parse(out)).toEqual(evaluation)
})

test('axgrad sample shows what the policy says', async () => {
  const { out, code } = await axgrad('sample', whole, '--episodes', '2', '--temperature', '0')
  expect(code).toBe(0)
  expect(out.match(/^ {2}reward \d/gm)).toHaveLength(2)
})
