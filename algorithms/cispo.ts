import { type LossFor, type ObjectiveConfig, surrogateLoss } from './objective.js'
import { policyRatio } from './ratio.js'
import { type RatioBounds, weightedLogProb } from './surrogate.js'

export interface CispoConfig extends ObjectiveConfig {
  /** Bounds on the ratio itself. Note that verl's two are offsets from 1, and that MiniMind's and TRL's only one is, as here, a ratio. */
  readonly bounds: RatioBounds
}

/**
 * CISPO: the clip is on the importance weight and not on the update, so every token keeps a gradient.
 *
 *   L = −agg over response tokens of [ sg(clip(r, least, most))·A·log π − β·k3 ]
 *
 * Gradient: through log π (not through the weight) and the KL, into `logProbs` alone, inside the mask alone; so the loss's value is not
 * what its gradient descends. A batch without response tokens gives 0.
 * Source: MiniMax-M1, arXiv:2506.13585, eq. 4 and 5.
 */
export const cispoLoss = <const C extends CispoConfig>(config: C): LossFor<C> =>
  surrogateLoss(config, (tokens) =>
    weightedLogProb(config.bounds)(policyRatio(tokens, config.logRatioLimit), tokens.advantages, tokens.logProbs),
  )
