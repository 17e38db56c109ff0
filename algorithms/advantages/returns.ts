import { stopGradient, type Tensor } from '../../dsl/index.js'
import { backAlongResponse, type OutsideRule } from './along-response.js'
import type { Tokens } from '../batch.js'
import type { Setting } from '../setting.js'

/** What an estimator says of every token; all of it data. */
export interface Estimates {
  /** How much better a token was than expected, in the units of the reward, or in standard deviations where it is whitened. */
  readonly advantages: Tensor<Tokens>
  /** What came of a token, in the units of the reward: a critic's target. */
  readonly returns: Tensor<Tokens>
}

export interface ReturnSettings {
  /** γ, from 0 to 1: what a reward is worth one response token earlier. */
  readonly gamma: Setting
  /** `skip` if not said. `reset` gives tokens before a tool's answer nothing of what is earned after it. */
  readonly outside?: OutsideRule
}

/**
 * What a response token earns from its own reward on.
 *
 *   R_t = r_t + γ·R of the response token behind
 *
 * Axes: rewards `batch, time`; those outside the mask count for nothing. Outside the mask it is that of the response token behind, 0 where
 * none is (or after a reset). With γ = 1 it is the sum of the rewards to come. Gradient: none, it is data.
 */
export const discountedReturns =
  ({ gamma, outside }: ReturnSettings) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<Tokens>): Tensor<Tokens> =>
    stopGradient(backAlongResponse(mask, outside)(gamma, rewards))
