import { stopGradient, sub, where } from '../dsl/index.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { SurrogateBatch, Tokens } from './batch.js'
import { keptTokens, type Rejection } from './rejection.js'
import { type RolloutWeightConfig, rolloutWeights } from './rollout-weights.js'

export interface RolloutCorrection {
  /** Rules by which tokens are left out of the mask; none if not said. */
  readonly reject?: readonly Rejection[]
  /** How the tokens that the engine sampled are weighed; not at all if not said. */
  readonly weigh?: RolloutWeightConfig
}

/**
 * Bypass mode: a batch whose `oldLogProbs` are the rollout engine's own, without a second pass of the policy that sampled. Tokens on which
 * the policy has drifted leave the mask, and the others are weighed by what the policy has become, as data. For `reinforceLoss`, whose
 * gradient the weight corrects; a clipped loss has the ratio in it already and takes no weight.
 *
 * The weights are of the mask before rejection. Gradient: none through weights and mask. Source: verl `compute_policy_loss_bypass_mode`.
 */
export const rolloutCorrected =
  ({ reject = [], weigh }: RolloutCorrection) =>
  <A extends Tokens, B extends SurrogateBatch<A>>(batch: B & SurrogateBatch<A>): B => {
    const { logProbs, oldLogProbs, responseMask } = batch
    const drift = pipe(stopGradient(sub(logProbs, oldLogProbs)), where(responseMask))
    return {
      ...batch,
      responseMask: keptTokens(reject)(drift, responseMask),
      ...(weigh === undefined ? {} : { rolloutWeights: rolloutWeights(weigh)(drift, responseMask) }),
    }
  }
