import { type LossFor, type ObjectiveConfig, type Surrogate, surrogateLoss } from './objective.js'
import { meanLogRatio, sequenceRatio, tokenSequenceRatio } from './sequence-ratio.js'
import type { Setting } from './setting.js'
import { clippedSurrogate, type ClipRange } from './surrogate.js'

export interface GspoConfig extends Omit<ObjectiveConfig, 'logRatioLimit'> {
  /** On the row's ratio, which is near 1: the paper has 3e-4 and 4e-4. */
  readonly clip: ClipRange
  /** Whether the gradient goes through the row's mean into all its tokens, or through each token alone. */
  readonly level: 'sequence' | 'token'
  /** Of the row's mean log-ratio, in nats, at `token` level; none if not said. */
  readonly ceiling?: Setting
}

const ratios = {
  sequence: () => sequenceRatio(meanLogRatio),
  token: tokenSequenceRatio,
} as const

/** The clipped surrogate of the ratio of whole responses. */
export const gspoSurrogate =
  ({ clip, level, ceiling }: GspoConfig): Surrogate =>
  (tokens) =>
    clippedSurrogate(clip)(ratios[level](ceiling)(tokens), tokens.advantages)

/**
 * Group Sequence Policy Optimization: one ratio a response, the geometric mean of those of its tokens, clipped as PPO clips a token's.
 *
 *   L = −agg of [ min(s·A, clip(s, 1−ε, 1+ε)·A) − β·KL ],   s = exp( Σ m·log r / n )
 *
 * At `token` level it is GSPO-token, whose value is the same and whose advantages may differ within a row.
 * Gradient: through `logProbs` alone, inside the mask alone. A batch without response tokens gives 0.
 * Source: arXiv:2507.18071, eq. 5 to 7, and 13 and 14. With the row's sum in place of its mean it is LUSPO (`sequenceMeanTokenSum`).
 */
export const gspoLoss = <const C extends GspoConfig>(config: C): LossFor<C> => surrogateLoss(config, gspoSurrogate(config))
