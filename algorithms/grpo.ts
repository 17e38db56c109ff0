import { min } from '../dsl/index.js'
import { type LossFor, type ObjectiveConfig, type Surrogate, surrogateLoss } from './objective.js'
import { policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'
import { clippedSurrogate, type ClipRange, dualClip } from './surrogate.js'

export interface GrpoConfig extends ObjectiveConfig {
  readonly clip: ClipRange
  /** The greatest ratio of the unclipped term: beyond it there is no gradient, whatever the sign of the advantage. None if not said. */
  readonly ratioCeiling?: Setting
  /** PPO's dual clip, c > 1; none if not said. */
  readonly dualClip?: Setting
}

/** The clipped surrogate of tokens that have passed the entrance, with the dual clip where there is one. */
export const grpoSurrogate =
  ({ clip, ratioCeiling, dualClip: c, logRatioLimit }: Omit<GrpoConfig, 'beta'>): Surrogate =>
  (tokens) => {
    const ratio = policyRatio(tokens, logRatioLimit)
    const bounded = ratioCeiling === undefined ? ratio : min(ratio, toScalar(ratioCeiling))
    const surrogate = clippedSurrogate(clip)(bounded, tokens.advantages)
    return c === undefined ? surrogate : dualClip(c)(surrogate, tokens.advantages)
  }

/**
 * Group Relative Policy Optimization: PPO's clipped surrogate with group-normalised advantages in place of a critic.
 *
 *   L = −agg over response tokens of [ min(r·A, clip(r, 1−ε, 1+ε)·A) − β·k3 ]
 *
 * Axes: tokens are `batch, time`; advantages any of them, so that an advantage per response and one per token run the same code.
 * Gradient: through `logProbs` alone, inside the mask alone; the other fields are data. A batch without response tokens gives 0.
 * Source: DeepSeekMath, arXiv:2402.03300, eq. 3 and 4. The mean there is over rows of the row's mean: `rowMeanTokenMean`.
 */
export const grpoLoss = <const C extends GrpoConfig>(config: C): LossFor<C> => surrogateLoss(config, grpoSurrogate(config))
