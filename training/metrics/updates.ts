import type { Report } from '../learner.js'
import type { Counts } from '../reinforcement/rows.js'
import { type Numbers, sum } from './statistics.js'

/** What is said of the updates of a step. */
export interface UpdateMetrics {
  /** How many there were to be, how many were tried, and how many changed the parameters. */
  readonly planned: number
  readonly tried: number
  readonly taken: number
  readonly learningRate: number
  /** How far the policy had gone from where it sampled at the last update, in nats. */
  readonly drift: number
  /** Means over the updates, each weighing as many tokens as it had, and extremes: `loss`, `gradNorm` and the device's own. */
  readonly numbers: Numbers
}

type Tried = Report<Counts>

const joined = (name: string, reports: readonly Tried[], of: (report: Tried) => number): number => {
  const values = reports.map(of)
  if (name.endsWith('Least')) return Math.min(...values)
  if (name.endsWith('Greatest')) return Math.max(...values)
  const total = sum(reports.map(({ about }) => about.tokens))
  return sum(reports.map((report, i) => (report.about.tokens / Math.max(total, 1)) * (values[i] ?? 0)))
}

export const updatesOf = (updates: readonly Tried[], planned: number): UpdateMetrics => {
  const named = updates.map(({ loss, gradNorm, metrics }): Numbers => ({ loss, gradNorm, ...metrics }))
  const of = new Map(updates.map((report, i) => [report, named[i] ?? {}]))
  const last = updates.at(-1)
  return {
    planned,
    tried: updates.length,
    taken: updates.filter(({ taken }) => taken).length,
    learningRate: last?.learningRate ?? 0,
    drift: last?.drift ?? 0,
    numbers: Object.fromEntries(
      Object.keys(named[0] ?? {}).map((name) => [name, joined(name, updates, (report) => of.get(report)?.[name] ?? 0)]),
    ),
  }
}
