/*
 * MemPO against GRPO: does paying for memories pay? Each arm begins with the same policy, sees as many questions in as many steps and is
 * asked the same held-out ones; each is run over several seeds. The policies with a memory read the question, their last memory and
 * their last search at each turn; the one without reads everything so far.
 *
 *   npm run mempo-against-grpo            what docs/mempo-against-grpo.md shows: an hour or more on one core
 *   npm run mempo-against-grpo 1 10       seeds and steps: a look
 *
 * A run that is there is not run again, and one that was stopped goes on. Needs `npm run build`.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const [seeds = 3, steps = 60] = process.argv.slice(2).map(Number)
const root = join('runs', `mempo-against-grpo-${String(steps)}`)

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

/** How many objectives the questions have, and who is asked them: a long question costs as much as three short ones. */
const horizons: Readonly<Record<string, { readonly objectives: object; readonly arms: readonly Arm[] }>> = {
  '2–3': { objectives: { 2: 1, 3: 1 }, arms: everyArm },
  '4–6': { objectives: { 4: 1, 5: 1, 6: 1 }, arms: ['GRPO', 'MemPO, geometric, full', 'MemPO, geometric, found', 'GRPO, whole history'] },
}

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

const evaluationsIn = (run: string): readonly Examined[] =>
  linesOf(join(run, 'metrics.jsonl')).flatMap((line) => (line['stage'] === 'evaluation' ? [line as unknown as Examined] : []))

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

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length

/** The standard error over seeds. */
const errorOf = (xs: readonly number[]): number =>
  xs.length < 2 ? NaN : Math.sqrt(xs.reduce((sum, x) => sum + (x - mean(xs)) ** 2, 0) / (xs.length - 1) / xs.length)

const cell = (xs: readonly number[], digits: number): string => `${mean(xs).toFixed(digits)} ± ${errorOf(xs).toFixed(digits)}`

const secondsOf = (run: string): number => {
  const all = linesOf(join(run, 'timing.jsonl')).map(({ seconds }) => Number(seconds))
  return all.toSorted((x, y) => x - y)[Math.floor(all.length / 2)] ?? NaN
}

const row = (name: string, examined: readonly Examined[], seconds: readonly number[]): string => {
  const of = (way: 'greedy' | 'sampled', measure: string, digits = 3): string =>
    cell(
      examined.map((one) => one[way][measure]?.mean ?? NaN),
      digits,
    )
  return `| ${[name, of('greedy', 'reward'), of('greedy', 'exact'), of('sampled', 'reward'), of('greedy', 'turns', 1), of('greedy', 'tokens', 0), of('greedy', 'peak', 0), seconds.length === 0 ? '' : mean(seconds).toFixed(2)].join(' | ')} |`
}

const isThere = <X>(x: X | undefined): x is X => x !== undefined

const table = (horizon: string, of: readonly Arm[]): string => {
  const runsOf = (arm: Arm): readonly string[] => Array.from({ length: seeds }, (_, i) => join(root, `${horizon} ${arm} ${String(i + 1)}`))
  const before = (['GRPO', 'GRPO, whole history'] as const).map((arm) => {
    const [first] = runsOf(arm).map((run) => evaluationsIn(run)[0])
    return first === undefined ? '' : row(`before, ${arm === 'GRPO' ? 'memory' : 'whole history'}`, [first], [])
  })
  const after = of.map((arm) =>
    row(
      arm,
      runsOf(arm)
        .map((run) => evaluationsIn(run).at(-1))
        .filter(isThere),
      runsOf(arm).map(secondsOf),
    ),
  )
  const head = ['', 'reward, greedy', 'exact, greedy', 'reward, sampled', 'turns', 'tokens', 'peak', 's a step']
  return [`${horizon} objectives`, '', `| ${head.join(' | ')} |`, `|${head.map(() => '---').join('|')}|`, ...before, ...after].join('\n')
}

for (const [horizon, { arms: of }] of Object.entries(horizons)) {
  for (let seed = 1; seed <= seeds; seed++)
    for (const arm of of) complete(join(root, `${horizon} ${arm} ${String(seed)}`), configOf(arm, horizon, seed))
  console.log(`\n${table(horizon, of)}`)
}
