/*
 * MemPO against GRPO: does paying for memories pay? Each arm begins with the same policy, sees as many questions in as many steps and is
 * asked the same held-out ones; each is run over several seeds. The policies with a memory read the question, their last memory and
 * their last search at each turn; the one without reads everything so far.
 *
 *   npm run mempo-against-grpo              prints the tables of docs/country-search.md: some four hours on two cores
 *   npm run mempo-against-grpo 1-3          one horizon of them; that one takes twenty minutes
 *   npm run mempo-against-grpo 1-3 1 10     seeds and steps, too: a look
 *
 * A run that is there is not run again, and one that was stopped goes on. Needs `npm run build`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { meanWithError } from 'axgrad/training'

const arms = {
  GRPO: { algorithm: 'grpo' },
  'MemPO, geometric, full': { algorithm: 'mempo', memory: { mean: 'geometric', baseline: 'full' } },
  'MemPO, arithmetic, full': { algorithm: 'mempo', memory: { mean: 'arithmetic', baseline: 'full' } },
  'MemPO, geometric, found': { algorithm: 'mempo', memory: { mean: 'geometric', baseline: 'found' } },
  'MemPO, geometric, none': { algorithm: 'mempo', memory: { mean: 'geometric', baseline: 'none' } },
  'GRPO, whole history': { algorithm: 'grpo' },
} as const
type Arm = keyof typeof arms

const everyArm = Object.keys(arms) as readonly Arm[]

interface Horizon {
  /** How many objectives a question has, by weight. */
  readonly objectives: Readonly<Record<number, number>>
  readonly arms: readonly Arm[]
}

/** Who is asked which questions: a long one costs as much as three short ones. */
const horizons: Readonly<Record<string, Horizon>> = {
  '1-3': { objectives: { 1: 1, 2: 1, 3: 1 }, arms: ['GRPO', 'MemPO, geometric, full'] },
  '2-3': { objectives: { 2: 1, 3: 1 }, arms: everyArm },
  '4-6': { objectives: { 4: 1, 5: 1, 6: 1 }, arms: ['GRPO', 'MemPO, geometric, full', 'MemPO, geometric, found', 'GRPO, whole history'] },
}

const [asked = 'all', ...numbers] = process.argv.slice(2)
const [seeds = 3, steps = 60] = numbers.map(Number)
const root = join('runs', `mempo-against-grpo-${String(steps)}`)

/** axgrad with these arguments, in a process of its own. */
const axgrad = (...args: readonly string[]): void => {
  const { status } = spawnSync(process.execPath, ['dist/cli/main.js', ...args], { stdio: ['ignore', 'inherit', 'inherit'] })
  if (status !== 0) throw new Error(`axgrad ${args.join(' ')} ended with ${String(status)}`)
}

type Line = Readonly<Record<string, unknown>>

const linesOf = (file: string): readonly Line[] =>
  existsSync(file)
    ? readFileSync(file, 'utf8')
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line)
    : []

interface Measure {
  readonly mean: number
  readonly error: number
}

interface Examined {
  readonly greedy: Readonly<Record<string, Measure>>
  readonly sampled: Readonly<Record<string, Measure>>
}

interface Evaluation extends Examined {
  readonly sorts: Readonly<Record<string, Examined>>
}

const evaluationsIn = (run: string): readonly Evaluation[] =>
  linesOf(join(run, 'metrics.jsonl')).flatMap((line) => (line['stage'] === 'evaluation' ? [line as unknown as Evaluation] : []))

/** Begin a run, go on with it, or leave it as it is where it is over. */
const complete = (run: string, config: object): void => {
  if (evaluationsIn(run).length > 1) return
  if (existsSync(join(run, 'latest'))) {
    axgrad('train', '--resume', run)
    return
  }
  mkdirSync(root, { recursive: true })
  const file = `${run}.json`
  writeFileSync(file, JSON.stringify(config, null, 2))
  axgrad('train', file, '--out', run)
}

/** The policy that reads the whole history is taught by an oracle that does, with the same lessons otherwise. */
const taughtOnHistories = (): string => {
  const run = join('runs', 'warm-start-full')
  const checkpoint = join(run, 'checkpoints', '005500')
  const config = { task: { name: 'country-search', context: 'full' }, init: 'random', reinforcement: { algorithm: 'grpo', steps: 0 } }
  if (existsSync(join(run, 'latest')) && !existsSync(checkpoint)) axgrad('train', '--resume', run)
  if (!existsSync(checkpoint)) {
    writeFileSync(`${run}.json`, JSON.stringify(config, null, 2))
    axgrad('train', `${run}.json`, '--out', run)
  }
  return checkpoint
}

const configOf = (arm: Arm, horizon: string, seed: number): object => {
  const isWhole = arm === 'GRPO, whole history'
  return {
    ...{ seed, init: isWhole ? taughtOnHistories() : 'warm-start' },
    task: { name: 'country-search', context: isWhole ? 'full' : 'memory', objectives: horizons[horizon]?.objectives },
    reinforcement: { ...arms[arm], steps },
    evaluation: { questions: 512 },
  }
}

const cell = (xs: readonly number[], digits: number): string => {
  const { mean, error } = meanWithError(xs)
  return xs.length < 2 ? mean.toFixed(digits) : `${mean.toFixed(digits)} ± ${error.toFixed(digits)}`
}

/** The median of a run's steps. */
const secondsOf = (run: string): number => {
  const all = linesOf(join(run, 'timing.jsonl')).map(({ seconds }) => Number(seconds))
  return all.toSorted((x, y) => x - y)[Math.floor(all.length / 2)] ?? NaN
}

/** What is told of an arm, in the order of the columns. */
const columns: Readonly<Record<string, (examined: readonly Evaluation[]) => string>> = {
  'reward, greedy': (all) =>
    cell(
      all.map(({ greedy }) => greedy['reward']?.mean ?? NaN),
      3,
    ),
  'all right, greedy': (all) =>
    cell(
      all.map(({ greedy }) => greedy['exact']?.mean ?? NaN),
      3,
    ),
  'reward, sampled': (all) =>
    cell(
      all.map(({ sampled }) => sampled['reward']?.mean ?? NaN),
      3,
    ),
  turns: (all) =>
    cell(
      all.map(({ greedy }) => greedy['turns']?.mean ?? NaN),
      1,
    ),
  tokens: (all) =>
    cell(
      all.map(({ greedy }) => greedy['tokens']?.mean ?? NaN),
      0,
    ),
  peak: (all) =>
    cell(
      all.map(({ greedy }) => greedy['peak']?.mean ?? NaN),
      0,
    ),
}

const rewardOf =
  (sort: string) =>
  (all: readonly Evaluation[]): string =>
    cell(
      all.map(({ sorts }) => sorts[sort]?.greedy['reward']?.mean ?? NaN),
      3,
    )

const row = (name: string, sorts: readonly string[], all: readonly Evaluation[], seconds: string): string =>
  `| ${[name, ...sorts.map((sort) => rewardOf(sort)(all)), ...Object.values(columns).map((of) => of(all)), seconds].join(' | ')} |`

const runsOf = (horizon: string, arm: Arm): readonly string[] =>
  Array.from({ length: seeds }, (_, i) => join(root, `${horizon} ${arm} ${String(i + 1)}`))

const table = (horizon: string, { arms: of }: Horizon): string => {
  const evaluationOf =
    (at: 0 | -1) =>
    (arm: Arm): readonly Evaluation[] =>
      runsOf(horizon, arm).flatMap((run) => evaluationsIn(run).at(at) ?? [])
  const [before, after] = [evaluationOf(0), evaluationOf(-1)]
  const sorts = Object.keys(before('GRPO')[0]?.sorts ?? {})
  const head = ['', ...sorts, ...Object.keys(columns), 's a step']
  const starts = of
    .filter((arm) => arm.startsWith('GRPO'))
    .map((arm) => row(arm.replace('GRPO', 'warm start'), sorts, before(arm).slice(0, 1), ''))
  const ends = of.map((arm) => row(arm, sorts, after(arm), cell(runsOf(horizon, arm).map(secondsOf), 2)))
  return [
    `Questions of ${horizon} objectives`,
    '',
    `| ${head.join(' | ')} |`,
    `|${head.map(() => '---').join('|')}|`,
    ...starts,
    ...ends,
  ].join('\n')
}

const chosen = Object.entries(horizons).filter(([name]) => asked === 'all' || name === asked)
if (chosen.length === 0) throw new Error(`There is no horizon '${asked}': name ${Object.keys(horizons).join(', ')} or all.`)

for (const [name, horizon] of chosen) {
  for (let seed = 0; seed < seeds; seed++)
    for (const arm of horizon.arms) complete(runsOf(name, arm)[seed] ?? '', configOf(arm, name, seed + 1))
  console.log(`\n${table(name, horizon)}`)
}
