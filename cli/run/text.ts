import type { DeviceFacts } from '../../backends/index.js'
import { countOf, isSpec, leaves, sizes } from '../../dsl/index.js'
import {
  type Evaluation,
  type Examined,
  type LifeEvent,
  type MeanWithError,
  needsIn,
  type RunPlan,
  stageSpecs,
  stepsOf,
} from '../../training/index.js'

const numbersIn = (specs: unknown): number =>
  leaves(isSpec)(specs).reduce((sum, { value: { axes } }) => sum + countOf(axes.map(({ size }) => sizes.known(size) ?? 0)), 0)

const grouped = (n: number): string => n.toLocaleString('en-US')

/** Of numbers in float32. */
const bytes = (numbers: number): string => {
  const mega = (4 * numbers) / 2 ** 20
  return mega < 0.1 ? `${((4 * numbers) / 2 ** 10).toFixed(0)} KiB` : `${mega.toFixed(1)} MiB`
}

/** What a run is about to do, and on what. */
export const startText = (plan: RunPlan<unknown>, facts: DeviceFacts, threads: number, folder: string): string => {
  const specs = stageSpecs(plan)('reinforcement')
  const needs = needsIn(plan)
  const policy = numbersIn(specs.policy)
  const critic = 'critic' in specs ? numbersIn(specs.critic) : 0
  const { warm, all } = stepsOf(plan)
  return [
    `${plan.environment.name} by ${plan.recipe.name}, seed ${String(plan.seed)}, into ${folder}`,
    `  device      ${facts.adapter}${facts.isHardware ? '' : `, ${String(threads)} threads`}${facts.features.includes('relaxed-simd') ? ', fused multiply-adds' : ''}`,
    `  policy      ${grouped(policy)} parameters, ${bytes(policy)}; as much again for each of two moments; ${grouped(plan.model.vocab)} words`,
    `  reference   ${needs.reference ? bytes(policy) : 'none'}`,
    `  critic      ${needs.critic ? bytes(critic) : 'none'}`,
    `  steps       ${String(warm)} of a warm start, ${String(all - warm)} of reinforcement`,
  ].join('\n')
}

const fixed = (x: number, digits = 3): string => x.toFixed(digits)

const named = (numbers: Readonly<Record<string, number>>, names: readonly string[]): string =>
  names.flatMap((name) => (numbers[name] === undefined ? [] : [`${name} ${fixed(numbers[name])}`])).join('  ')

/** Minutes and seconds. */
export const clock = (seconds: number): string => `${String(Math.floor(seconds / 60))}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`

/** One line of a step. */
export const stepText = (
  plan: RunPlan<unknown>,
  event: LifeEvent<unknown> & { readonly tag: 'taught' | 'reinforced' },
  secondsLeft: number | undefined,
): string => {
  const { warm, all } = stepsOf(plan)
  const left = secondsLeft === undefined ? '' : `left ${clock(secondsLeft)}`
  if (event.tag === 'taught') {
    const { report, seconds } = event
    return `warm start ${String(event.step)}/${String(warm)}  loss ${fixed(report.loss)}  |g| ${fixed(report.gradNorm, 2)}  ${grouped(Math.round(report.about.tokens / seconds))} tokens/s  ${left}`.trimEnd()
  }
  const { metrics, report } = event
  const numbers = { ...metrics.rewardParts, ...metrics.update.numbers }
  const pace = metrics.written.total / report.seconds.rollout
  return [
    `step ${String(event.step - warm)}/${String(all - warm)}`,
    `reward ${fixed(metrics.reward.mean)} ± ${fixed(metrics.groups.std, 2)}`,
    named(numbers, ['exact', 'fraction', 'format', 'loss', 'refKl', 'entropy']),
    `drift ${metrics.update.drift.toExponential(0)}`,
    `${grouped(Math.round(pace))} tokens/s`,
    left,
  ]
    .join('  ')
    .trimEnd()
}

const plusMinus = ({ mean, error }: MeanWithError): string => `${fixed(mean)} ± ${fixed(error)}`

const table = (rows: readonly (readonly string[])[]): string => {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

const ways = ['greedy', 'sampled'] as const

/** What is said of each sort of question. */
const sorted = ['reward', 'exact']

const rowsOf = (label: string, name: string, columns: readonly (Examined | undefined)[]): readonly (readonly string[])[] =>
  ways.map((way) => [
    way === 'greedy' ? label : '',
    way,
    ...columns.map((column) => plusMinus(column?.[way][name] ?? { mean: NaN, error: NaN })),
  ])

/** What was measured, a row for each number and way to answer, a column for each time: mean ± standard error. */
export const evaluationTable = (columns: Readonly<Record<string, Evaluation>>): string => {
  const evaluations = Object.values(columns)
  const names = Object.keys(evaluations[0]?.greedy ?? {})
  const sorts = Object.keys(evaluations[0]?.sorts ?? {})
  return table([
    ['', '', ...Object.keys(columns)],
    ...names.flatMap((name) => rowsOf(name, name, evaluations)),
    ...sorts.flatMap((sort) =>
      sorted
        .filter((name) => names.includes(name))
        .flatMap((name) =>
          rowsOf(
            `${name}, ${sort}`,
            name,
            evaluations.map((evaluation) => evaluation.sorts[sort]),
          ),
        ),
    ),
  ])
}

/** One line of what a policy makes of the held-out questions. */
export const evaluationText = ({ step, questions, greedy, sampled }: Evaluation): string => {
  const reward = { greedy: greedy['reward'], sampled: sampled['reward'] }
  const said = ways.flatMap((way) => (reward[way] === undefined ? [] : [`${way} ${plusMinus(reward[way])}`]))
  return `reward on ${String(questions)} held-out questions after step ${String(step)}: ${said.join(', ')}`
}

/** The last lines of a run: what it made of the policy. */
export const closingText = (evaluations: readonly Evaluation[]): string => {
  const [first, last] = [evaluations[0], evaluations.at(-1)]
  if (first === undefined || last === undefined) return ''
  const columns = first === last ? { [`after step ${String(first.step)}`]: first } : { before: first, after: last }
  return `${String(first.questions)} held-out questions, mean ± standard error\n${evaluationTable(columns)}`
}
