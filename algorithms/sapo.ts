import { div, less, mul, select, sigmoid, sub } from '../dsl/index.js'
import { type LossFor, type ObjectiveConfig, type Surrogate, surrogateLoss } from './objective.js'
import { policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'

export interface SapoConfig extends ObjectiveConfig {
  /** How sharply the gate closes as the ratio leaves 1, where the advantage is above 0 and where it is not. The paper has 1 and 1.05. */
  readonly temperature: { readonly positive: Setting; readonly negative: Setting }
}

/** 4/τ·σ(τ·(r − 1))·A: its slope by r is A at r = 1 and fades on both sides. */
export const sapoSurrogate =
  ({ temperature, logRatioLimit }: SapoConfig): Surrogate =>
  (tokens) => {
    const { advantages } = tokens
    const tau = select(less(0, advantages), toScalar(temperature.positive), toScalar(temperature.negative))
    const gate = div(mul(sigmoid(mul(tau, sub(policyRatio(tokens, logRatioLimit), 1))), 4), tau)
    return mul(gate, advantages)
  }

/**
 * Soft Adaptive Policy Optimization: a smooth gate in place of a clip, so that no token's gradient ends at an edge.
 *
 *   L = −agg over response tokens of [ 4/τ·σ(τ·(r − 1))·A − β·KL ]
 *
 * Gradient: 4·σ·(1 − σ)·r·A into log π: r·A at r = 1. Through `logProbs` alone, inside the mask alone.
 * Source: arXiv:2511.20347.
 */
export const sapoLoss = <const C extends SapoConfig>(config: C): LossFor<C> => surrogateLoss(config, sapoSurrogate(config))
