import type { DeviceFacts } from '../../backends/index.js'
import { decoderSpecs, judgeSpecs } from '../../models/index.js'
import {
  type Evaluation,
  type Examined,
  type Measures,
  type MeanWithError,
  needsIn,
  type RunPlan,
  stageEnds,
  type StepEvent,
} from '../../training/index.js'
import { clock } from './clock.js'
import { stagesByStep } from './pace.js'
import { numbersIn } from './room.js'

const grouped = (n: number): string => n.toLocaleString('en-US')

/** Of numbers in float32. */
const bytes = (numbers: number): string => {
  const mega = (4 * numbers) / 2 ** 20
  return mega < 0.1 ? `${((4 * numbers) / 2 ** 10).toFixed(0)} KiB` : `${mega.toFixed(1)} MiB`
}

/** What a run is about to do, and on what. */
export const startText = (plan: RunPlan<unknown>, facts: DeviceFacts, threads: number, folder: string): string => {
  const needs = needsIn(plan)
  const policy = numbersIn(decoderSpecs(plan.model))
  const judge = bytes(numbersIn(judgeSpecs(plan.model)))
  const { supervised: warm, rewardModel: before, reinforcement: all } = stageEnds(plan)
  const comparing = before > warm ? `, ${String(before - warm)} of the reward model` : ''
  return [
    `${plan.environment.name} by ${plan.recipe.name}, seed ${String(plan.seed)}, into ${folder}`,
    `  device      ${facts.adapter}${facts.isHardware ? '' : `, ${String(threads)} threads`}${facts.features.includes('relaxed-simd') ? ', fused multiply-adds' : ''}`,
    `  policy      ${grouped(policy)} parameters, ${bytes(policy)}; as much again for each of two moments; ${grouped(plan.model.vocab)} words`,
    `  reference   ${needs.reference ? bytes(policy) : 'none'}`,
    `  critic      ${needs.critic ? judge : 'none'}`,
    ...(needs.rewardModel ? [`  rewards     of the task, and of a model of ${judge}`] : []),
    `  steps       ${String(warm)} of a warm start${comparing}, ${String(all - before)} of reinforcement`,
  ].join('\n')
}

const fixed = (x: number, digits = 3): string => x.toFixed(digits)

const named = (numbers: Readonly<Record<string, number>>, names: readonly string[]): string =>
  names.flatMap((name) => (numbers[name] === undefined ? [] : [`${name} ${fixed(numbers[name])}`])).join('  ')

const perSecond = (tokens: number, seconds: number): string => `${grouped(Math.round(tokens / seconds))} tokens/s`

type Step<T extends StepEvent<unknown>['tag']> = StepEvent<unknown> & { readonly tag: T }

/** What is said of a step, of each kind. */
const told: { readonly [T in StepEvent<unknown>['tag']]: (event: Step<T>) => readonly string[] } = {
  taught: ({ report: { loss, gradNorm, about }, seconds }) => [
    `loss ${fixed(loss)}  |g| ${fixed(gradNorm, 2)}`,
    perSecond(about.tokens, seconds),
  ],
  compared: ({ report }) =>
    report === undefined
      ? ['no pair: all answers earned the same']
      : [`${String(report.about.pairs)} pairs  loss ${fixed(report.loss)}`, named(report.metrics, ['right', 'margin'])],
  reinforced: ({ metrics, report }) => [
    `reward ${fixed(metrics.reward.mean)} ± ${fixed(metrics.groups.std, 2)}`,
    named({ ...metrics.rewardParts, ...metrics.update.numbers }, [
      'exact',
      'fraction',
      'format',
      'loss',
      'accuracy',
      'margin',
      'refKl',
      'entropy',
    ]),
    `drift ${metrics.update.drift.toExponential(0)}`,
    perSecond(metrics.written.total, report.seconds.rollout),
  ],
}

const titles = { taught: 'warm start', compared: 'reward model', reinforced: 'step' } as const

/** How many steps the stage of a step has. */
const lengthOf = (plan: RunPlan<unknown>, { tag, step, ofStage }: StepEvent<unknown>): number =>
  stageEnds(plan)[stagesByStep[tag].stage] - step + ofStage

/** One line of a step. */
export const stepText = (plan: RunPlan<unknown>, event: StepEvent<unknown>, secondsLeft: number | undefined): string =>
  [
    `${titles[event.tag]} ${String(event.ofStage)}/${String(lengthOf(plan, event))}`,
    ...(told[event.tag] as (event: StepEvent<unknown>) => readonly string[])(event),
    ...(secondsLeft === undefined ? [] : [`left ${clock(secondsLeft)}`]),
  ].join('  ')

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

/** The last column is the oracle's, which answers in one way. */
const rowsOf = (label: string, name: string, columns: readonly (Examined | undefined)[]): readonly (readonly string[])[] => {
  const cell = (measures: Measures | undefined): string => plusMinus(measures?.[name] ?? { mean: NaN, error: NaN })
  return ways.map((way) => [
    ...[way === 'greedy' ? label : '', way, ...columns.map((column) => cell(column?.[way]))],
    way === 'greedy' ? cell(columns.at(-1)?.oracle) : '',
  ])
}

/** What was measured, a row for each number and way to answer, a column for each time and one for the oracle: mean ± standard error. */
export const evaluationTable = (columns: Readonly<Record<string, Evaluation>>): string => {
  const evaluations = Object.values(columns)
  const names = Object.keys(evaluations[0]?.greedy ?? {})
  const sorts = Object.keys(evaluations[0]?.sorts ?? {})
  const rowsOfSort = (sort: string): readonly (readonly string[])[] => {
    const own = evaluations.map((evaluation) => evaluation.sorts[sort])
    return sorted.filter((name) => names.includes(name)).flatMap((name) => rowsOf(`${name}, ${sort}`, name, own))
  }
  return table([
    ['', '', ...Object.keys(columns), 'oracle'],
    ...names.flatMap((name) => rowsOf(name, name, evaluations)),
    ...sorts.flatMap(rowsOfSort),
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
