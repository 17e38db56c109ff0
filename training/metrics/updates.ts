import type { Report } from '../learner.js'
import type { UpdateCounts } from '../reinforcement/rows.js'
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
  /** Means over the updates, each weighing as many tokens or pairs as it had, and extremes: `loss`, `gradNorm` and the device's own. */
  readonly numbers: Numbers
}

type Tried = Report<UpdateCounts>

const numbersOf = ({ loss, gradNorm, metrics }: Tried): Numbers => ({ loss, gradNorm, ...metrics })

const joined = (name: string, updates: readonly Tried[]): number => {
  const values = updates.map((update) => numbersOf(update)[name] ?? 0)
  if (name.endsWith('Least')) return Math.min(...values)
  if (name.endsWith('Greatest')) return Math.max(...values)
  const weights = updates.map(({ about }) => about.weight)
  return sum(values.map((value, i) => value * (weights[i] ?? 0))) / Math.max(sum(weights), 1)
}

export const updatesOf = (updates: readonly Tried[], planned: number): UpdateMetrics => {
  const [first] = updates
  const last = updates.at(-1)
  return {
    planned,
    tried: updates.length,
    taken: updates.filter(({ taken }) => taken).length,
    learningRate: last?.learningRate ?? 0,
    drift: last?.drift ?? 0,
    numbers: Object.fromEntries(Object.keys(first === undefined ? {} : numbersOf(first)).map((name) => [name, joined(name, updates)])),
  }
}
