import { cpSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { random } from '../../../dsl/index.js'
import { folder, place } from '../../training/run/folders.js'
import { axgrad, fixture } from '../axgrad.js'
import { killedAt, linesOf, numbersAt } from './killed.js'

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

/** The same with something else said of the reinforcement. */
const at = (name: string, reinforcement: object, others: object = {}): string => {
  const file = join(folder(), name)
  writeFileSync(file, JSON.stringify({ ...tiny, ...others, reinforcement: { ...tiny.reinforcement, ...reinforcement } }))
  return file
}

const several = fixture('trainable')
const ownLoss = at('own-loss.json', { lossFile: resolve(several) })
const withModel = at('model.json', {}, { rewardModel: { answers: 1 } })

const broken = join(folder(), 'broken.ts')
writeFileSync(broken, 'export const loss = defineLoss({')

/** A loss of one's own in a file, weighted. */
const lossText = (weight: number): string => `
import { pipe } from 'fp-ts/lib/function.js'
import { aggregate, responseOnly, tokenMean } from '${algorithms}'
import { bool, defineLoss, f32, mul, neg } from '${language}'

const inputs = { logProbs: f32('batch', 'time'), advantages: f32('batch'), responseMask: bool('batch', 'time') }
const weighted = (name, weight) =>
  defineLoss({
    name,
    inputs,
    loss: ({ logProbs, advantages, responseMask }) =>
      neg(mul(weight, pipe(mul(responseOnly(responseMask)(logProbs), advantages), aggregate(tokenMean)(responseMask)))),
  })

export const mine = weighted('mine', ${String(weight)})
export const other = weighted('other', 2)
`

const [algorithms, language] = ['algorithms', 'dsl'].map((name) => resolve(`${name}/index.ts`)) as [string, string]

const ofOwnLoss = (): { readonly run: string; readonly loss: string } => {
  const at = folder()
  const loss = join(at, 'mine.ts')
  writeFileSync(loss, lossText(1))
  return { run: join(at, 'run'), loss }
}

const whole = place()
let first: Awaited<ReturnType<typeof axgrad>>

beforeAll(async () => {
  first = await axgrad('train', config, '--out', whole)
}, 240_000)

interface Line {
  readonly stage: string
  readonly oracle: { readonly tokens: { readonly mean: number } }
}

/** What the evaluations of a run measured. */
const evaluationsIn = (run: string): readonly Omit<Line, 'stage'>[] =>
  readFileSync(join(run, 'metrics.jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
    .flatMap(({ stage, ...evaluation }) => (stage === 'evaluation' ? [evaluation] : []))

describe('axgrad train', () => {
  test('says what it runs on, what it does and what came of it', () => {
    expect(first).toMatchObject({ code: 0, err: '' })
    for (const said of [
      '{"seed":1,',
      'device      WebAssembly',
      'parameters',
      'critic      none',
      'compiling the policy\n  compiling reading\n  compiling taking\n',
      'compiling grpo\n  compiling advantages\n  compiling grpo\n',
      'answering the held-out questions\n  compiling drawing (greedy)\n',
      'after step 12: greedy',
      'before',
      'after',
    ])
      expect(first.out).toContain(said)
    expect(JSON.parse(readFileSync(join(whole, 'config.json'), 'utf8'))).toMatchObject({ axgrad: '0.1.0', seed: 1, config: tiny })
    expect(readFileSync(join(whole, 'report.html'), 'utf8')).toContain('<h1>recall by grpo</h1>')
  })

  test('killed at any step is resumed to the same parameters and the same metrics', async () => {
    const run = place()
    const lines = 1 + random.integer(random.key(7), 0, 23)
    expect(await killedAt(lines, config, run)).toBe('SIGKILL')
    expect((await axgrad('train', '--resume', run)).code).toBe(0)
    expect(numbersAt(run, 24)).toEqual(numbersAt(whole, 24))
  }, 240_000)

  test.each([
    ['a setting that there is none of', ['--task', 'countdwn'], `did you mean 'countdown'?`],
    ['an unknown algorithm', ['--algorithm', 'grp'], `did you mean 'grpo'?`],
    ['two losses', ['--algorithm', 'grpo', '--loss', 'x.ts'], 'give one of them'],
    ['a loss that does not compile', ['--loss', broken], 'does not compile'],
    ['a folder that has a run', ['--out', whole], 'there is a run in this folder'],
    ['a folder without a run', ['--resume', 'test'], 'no such file'],
    ['another seed for a run', ['--resume', whole, '--seed', '2'], `'seed' of the run to resume`],
    ['other bits for a run', ['--resume', whole, '--strict'], 'fused multiply-adds'],
    ['fewer steps than a run has made', ['--resume', whole, '--steps', '4'], `the number of steps of the run to resume`],
    ['another algorithm for a run', ['--resume', whole, '--algorithm', 'rloo'], `'reinforcement.algorithm' of the run to resume`],
    ['an algorithm beside the loss of a config', [ownLoss, '--algorithm', 'grpo'], 'or the lossFile of the config'],
    ['a file of several losses', ['--loss', several], 'choose one with --only'],
    ['a loss that the file has not', ['--loss', several, '--only', 'goode'], `exports the losses 'amiss', 'good'`],
    ['a temperature of 0', [at('temperature.json', { temperature: 0 })], `'reinforcement.temperature' of the config is 0`],
    ['one answer for each question that a model of rewards is to compare', [withModel], 'two answers at least'],
  ])('refuses %s in three lines', async (_, flags, said) => {
    const { code, err } = await axgrad(
      'train',
      ...(flags.includes('--resume') || flags[0]?.endsWith('.json') === true ? [] : [config]),
      ...flags,
    )
    expect(code).toBe(2)
    expect(err.trimEnd().split('\n')).toHaveLength(3)
    expect(err).toContain(said)
  })

  test.each([['--out', 'elsewhere'], ['--quick']])('does not take --resume with %s', async (...flag) => {
    const { code, err } = await axgrad('train', '--resume', whole, ...flag)
    expect(code).toBe(2)
    expect(err).toContain('cannot be used with option')
  })

  test('goes on further than it was told first, and its config.json says so', async () => {
    const run = place()
    cpSync(whole, run, { recursive: true })
    expect((await axgrad('train', '--resume', run, '--steps', '14', '--threads', '2')).code).toBe(0)
    expect(JSON.parse(readFileSync(join(run, 'config.json'), 'utf8'))).toMatchObject({
      config: { threads: 2, reinforcement: { steps: 14 } },
    })
    expect(linesOf(run)).toBe(linesOf(whole) + 3)
  })

  test('pays by a model of rewards that learns from pairs, and says so', async () => {
    const run = place()
    const file = at('paid.json', { steps: 2 }, { rewardModel: { steps: 3, questions: 2, answers: 4, pairs: 'oracle' } })
    const { code, out } = await axgrad('train', file, '--out', run)
    expect(code).toBe(0)
    for (const said of [
      'of the task, and of a model of',
      '12 of a warm start, 3 of the reward model, 2 of',
      'compiling the reward model',
      'oracle',
    ])
      expect(out).toContain(said)
    expect((await axgrad('sample', run, '--checkpoint', '15', '--episodes', '1')).code).toBe(0)
  })

  test('examines the policy on other settings of its task, and so do the commands that ask it', async () => {
    const run = place()
    const file = at('longer.json', { steps: 2 }, { evaluation: { questions: 4, task: { names: 5, forgets: 0 } } })
    expect((await axgrad('train', file, '--out', run)).code).toBe(0)
    const [last, before] = [run, whole].map((folder) => evaluationsIn(folder).at(-1)) as [Line, Line]
    // Eleven tokens read and eleven written, then ten remembered, three asked and two written; of two names, nineteen at most.
    expect(last.oracle.tokens.mean).toBe(37)
    expect(before.oracle.tokens.mean).toBeLessThanOrEqual(19)
    expect(JSON.parse((await axgrad('eval', run, '--json')).out)).toEqual(last)
    expect((await axgrad('sample', run, '--episodes', '1')).out).toMatch(/^(\S+ \d ){5};/)
    const refused = await axgrad('train', '--resume', run, at('longest.json', {}, { evaluation: { task: { names: 6 } } }))
    expect(refused.err).toContain(`'evaluation.task.names' of the run to resume`)
  })

  test('goes on by the same loss alone, wherever its file is, and knows a run without it', async () => {
    const { run, loss } = ofOwnLoss()
    const started = await axgrad('train', config, '--steps', '2', '--loss', loss, '--only', 'mine', '--out', run)
    expect(started).toMatchObject({ code: 0, err: '' })
    const { lossHash, config: told } = JSON.parse(readFileSync(join(run, 'config.json'), 'utf8')) as {
      readonly lossHash: string
      readonly config: { readonly reinforcement: { readonly lossFile: string; readonly lossName: string } }
    }
    expect(lossHash).toMatch(/^[0-9a-f]{64}$/)
    expect(told.reinforcement).toMatchObject({ lossFile: resolve(loss), lossName: 'mine' })
    writeFileSync(loss, lossText(3))
    const refused = await axgrad('train', '--resume', run, '--steps', '3')
    expect(refused).toMatchObject({ code: 2, out: '' })
    expect(refused.err).toMatch(/^the loss in .*mine\.ts of the run to resume\n {2}because: .*\n {2}try: make it what it was/)
    const moved = `${loss.slice(0, -3)}-moved.ts`
    renameSync(loss, moved)
    expect((await axgrad('sample', run, '--episodes', '1')).code).toBe(0)
    writeFileSync(moved, `// with a comment\n${lossText(1)}`)
    expect(await axgrad('train', '--resume', run, '--steps', '3', '--loss', moved)).toMatchObject({ code: 0, err: '' })
  })

  test('says before it draws anything that a policy has no room, and that no decoder has so many layers', async () => {
    const run = join(folder(), 'huge')
    const ofModel = (sizes: object): string => at('huge.json', {}, { model: { ...tiny.model, ...sizes } })
    const wide = await axgrad('train', ofModel({ embed: 50_000_000 }), '--out', run)
    expect(wide).toMatchObject({ code: 2, out: '' })
    expect(wide.err).toMatch(
      /^a policy of [\d,]+ parameters on WebAssembly\n {2}because: .* [\d,]+ bytes, and there are 4,294,967,296\n {2}try: /,
    )
    const deep = await axgrad('train', ofModel({ layers: 2000 }), '--out', run)
    expect(deep.err).toMatch(/^'model\.layers' of the config is 2000\n {2}because: .*1024\n {2}try: /)
    expect(existsSync(run)).toBe(false)
  })

  test('says that the processor has no numbers of 16 bits', async () => {
    const { code, err } = await axgrad('train', config, '--precision', 'f16', '--out', join(folder(), 'run'))
    expect(code).toBe(2)
    expect(err).toBe(
      `f16 on the processor\n  because: it has no numbers of 16 bits (shader-f16)\n  try: choose the precision 'f32', or an adapter of which \`npx axgrad doctor\` says that it has shader-f16\n`,
    )
  })

  test('says at once that a folder cannot be made', async () => {
    const { code, err } = await axgrad('train', config, '--out', '/proc/axgrad/run')
    expect(code).toBe(1)
    expect(err).toMatch(/^writing \/proc\/axgrad\/run\n {2}because: ENOENT.*\n {2}try: /)
  })

  test('names no transcripts where none were written', async () => {
    const run = join(folder(), 'untold')
    const { out } = await axgrad('train', at('untold.json', { steps: 0 }, { transcripts: { every: 0 } }), '--out', run)
    expect(out).toMatch(/the run is in .*: report\.html, metrics\.jsonl, checkpoints\n$/)
    expect(existsSync(join(run, 'transcripts'))).toBe(false)
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
  const { out, err, code } = await axgrad('eval', whole, '--json')
  expect(code).toBe(0)
  expect(JSON.parse(out)).toEqual(evaluationsIn(whole).at(-1))
  expect(err).toMatch(/^( {2}compiling .+\n)+answering\n( {2}.+\n)*$/)
})

test('axgrad eval takes the checkpoint that is called for, and says which there are', async () => {
  const best = await axgrad('eval', whole, '--checkpoint', 'best', '--json')
  expect((JSON.parse(best.out) as { readonly step: number }).step).toBe(Number(readFileSync(join(whole, 'best'), 'utf8')))
  const refused = await axgrad('eval', whole, '--checkpoint', '7')
  expect(refused.code).toBe(2)
  expect(refused.err).toMatch(/^the checkpoint '7' of .*\n {2}because: there is '000024', .*\n {2}try: /)
})

test('axgrad sample shows what the policy says', async () => {
  const { out, err, code } = await axgrad('sample', whole, '--episodes', '2', '--temperature', '0')
  expect(code).toBe(0)
  expect(err).toMatch(/^ {2}compiling .+\n/)
  expect(out.match(/^ {2}reward \d/gm)).toHaveLength(2)
})

test('axgrad sample --json prints each turn word by word, and what was paid', async () => {
  const { out, code } = await axgrad('sample', whole, '--episodes', '2', '--temperature', '0', '--json')
  expect(code).toBe(0)
  const episodes = JSON.parse(out) as readonly {
    readonly text: string
    readonly reward: { readonly value: number; readonly parts: { readonly exact: number } }
    readonly turns: readonly {
      readonly read: readonly string[]
      readonly written: readonly { readonly word: string; readonly kind: string; readonly logProb: number }[]
    }[]
  }[]
  expect(episodes).toHaveLength(2)
  const { out: text } = await axgrad('sample', whole, '--episodes', '2', '--temperature', '0')
  for (const { text: own, reward, turns } of episodes) {
    expect(text).toContain(`${own}\n  reward ${String(reward.value)}  exact ${String(reward.parts.exact)}`)
    expect(turns).toHaveLength(2)
    expect(own).toContain(turns[1]!.read.join(' '))
    for (const { written } of turns) {
      expect(written.length).toBeGreaterThan(0)
      expect(written.every(({ word, kind, logProb }) => word !== '' && ['memory', 'answer'].includes(kind) && logProb <= 0)).toBe(true)
    }
  }
})
