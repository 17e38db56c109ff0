import { report } from '../../dsl/index.js'
import type { StepMetrics } from './step.js'

/** From where on a step is warned of. */
export interface WarningLimits {
  /** The greatest KL to the reference, in nats. */
  readonly mostKl: number
  /** The least share of answers whose format is valid. */
  readonly leastValid: number
  /** The least share of what a history gives away that its reader is to say, where a memory is compared with it. */
  readonly leastReader: number
}

export const warningLimits: WarningLimits = { mostKl: 1, leastValid: 0.5, leastReader: 0.5 }

/** What a run goes on in spite of, and somebody should know. */
export type Warning =
  | { readonly tag: 'noVariance'; readonly step: number; readonly groups: number }
  | { readonly tag: 'klAbove'; readonly step: number; readonly kl: number; readonly limit: number }
  | { readonly tag: 'fewValid'; readonly step: number; readonly share: number; readonly limit: number }
  | { readonly tag: 'weakReader'; readonly step: number; readonly share: number; readonly limit: number }

type Look = (metrics: StepMetrics, limits: WarningLimits) => Warning | undefined

const looks: { readonly [T in Warning['tag']]: Look } = {
  noVariance: ({ step, groups: { withoutVariance, count } }) =>
    count > 0 && withoutVariance === 1 ? { tag: 'noVariance', step, groups: count } : undefined,
  klAbove: ({ step, update }, { mostKl: limit }) => {
    const kl = update.numbers['refKl']
    return kl !== undefined && kl > limit ? { tag: 'klAbove', step, kl, limit } : undefined
  },
  fewValid: ({ step, rewardParts: { format: share } }, { leastValid: limit }) =>
    share !== undefined && share < limit ? { tag: 'fewValid', step, share, limit } : undefined,
  weakReader: ({ step, memory }, { leastReader: limit }) => {
    const share = memory?.reader
    return share !== undefined && share < limit ? { tag: 'weakReader', step, share, limit } : undefined
  },
}

/** What a step is to be warned of. */
export const warningsOf =
  (limits: WarningLimits = warningLimits) =>
  (metrics: StepMetrics): readonly Warning[] =>
    Object.values(looks).flatMap((look) => look(metrics, limits) ?? [])

const percent = (share: number): string => `${(100 * share).toFixed(0)} %`

/** Three lines: what and where, because, try. */
export const renderWarning = (warning: Warning): string => {
  const step = `step ${String(warning.step)}`
  switch (warning.tag) {
    case 'noVariance':
      return report(
        `no gradient from the rewards at ${step}`,
        `in each of its ${String(warning.groups)} groups all answers earned the same`,
        `ask easier problems or harder ones, more answers to each, a higher temperature, or a reward of more steps`,
      )
    case 'klAbove':
      return report(
        `KL to the reference at ${step}`,
        `it is ${warning.kl.toFixed(3)} nats, above ${String(warning.limit)}`,
        `lower the learning rate or the epochs, or raise beta or klReward`,
      )
    case 'fewValid':
      return report(
        `format of the answers at ${step}`,
        `${percent(warning.share)} are valid, less than ${percent(warning.limit)}`,
        `teach longer before reinforcement, pay for the format, lower the temperature, or raise maxTokens`,
      )
    case 'weakReader':
      return report(
        `the history as baseline of a memory at ${step}`,
        `of what it gives away its reader would say ${percent(warning.share)}, less than ${percent(warning.limit)}: the difference is noise`,
        `teach more probes before reinforcement, or choose the baseline 'found' or 'none'`,
      )
  }
}
