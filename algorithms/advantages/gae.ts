import { pipe } from 'fp-ts/lib/function.js'
import { add, mul, stopGradient, sub, type Tensor, where } from '../../dsl/index.js'
import { backAlongResponse, placeBehind } from './along-response.js'
import type { Tokens } from '../batch.js'
import type { Estimates } from './returns.js'
import { type Setting, toScalar } from '../setting.js'

export interface GaeSettings {
  /** γ, from 0 to 1: what a reward is worth one response token earlier. */
  readonly gamma: Setting
  /** λ, from 0 to 1: 0 trusts the critic (the one-step error), 1 the rewards alone (the return less the value). */
  readonly lambda: Setting
}

export interface CriticBatch {
  readonly rewards: Tensor<Tokens>
  /** What the critic expected to be earned from a token on, before it was written; in the units of the reward. */
  readonly values: Tensor<Tokens>
  readonly responseMask: Tensor<Tokens, 'bool'>
}

/**
 * Generalized advantage estimation.
 *
 *   A_t = δ_t + γλ·A′,   δ_t = r_t + γ·V′ − V_t,   R_t = A_t + V_t
 *
 * with A′ and V′ those of the response token behind, 0 after the last: tokens that a tool wrote are neither a step nor a decay.
 *
 * Axes: all `batch, time`. Outside the mask the advantage is that of the response token behind and the return 0; rewards and values there
 * have no effect. Gradient: none, both are data. Not whitened: see `whiten`.
 * Source: arXiv:1506.02438, eq. 16; tokens of tools as in verl/trainer/ppo/core_algos.py:compute_gae_advantage_return.
 */
export const gae =
  ({ gamma, lambda }: GaeSettings) =>
  ({ rewards, values, responseMask }: CriticBatch): Estimates => {
    const back = backAlongResponse(responseMask)
    const nextValues = placeBehind(back(0, values))
    const errors = sub(add(rewards, mul(toScalar(gamma), nextValues)), values)
    const advantages = stopGradient(back(mul(toScalar(gamma), toScalar(lambda)), errors))
    return { advantages, returns: pipe(add(advantages, stopGradient(values)), where(responseMask)) }
  }
