import { pipe } from 'fp-ts/lib/function.js'
import { mul, sub, type Tensor } from '../dsl/index.js'
import { type PolicyBatch, responseOnly, type Tokens } from './batch.js'
import { klEstimates, type KlName } from './kl.js'
import { type Setting, toScalar } from './setting.js'

export interface KlRewardSettings {
  /** The price of one nat, in the units of the reward: a scalar of the program where `adaptedKlWeight` changes it. */
  readonly beta: Setting
  /** `k1` if not said. In a reward its gradient does not matter, and the sum of k1 over a response is the log-ratio of the whole response. */
  readonly kl?: KlName
}

type Pair = Pick<PolicyBatch<Tokens>, 'logProbs' | 'refLogProbs' | 'responseMask'>

/**
 * β·KL(π‖π_ref) of each response token, in the units of the reward, and 0 elsewhere: what to take from the rewards, token by token, or of
 * each row its sum. The log-probabilities are those of the policy that sampled.
 * Gradient: as of the estimate, into log-probabilities that carry one; those of a rollout are data.
 */
export const klPrice =
  ({ beta, kl = 'k1' }: KlRewardSettings) =>
  ({ logProbs, refLogProbs, responseMask }: Pair): Tensor<Tokens> => {
    const tokens = responseOnly(responseMask)
    return mul(toScalar(beta), klEstimates[kl](tokens(logProbs), tokens(refLogProbs)))
  }

/**
 * r_t − β·KL_t: the rewards of a policy that pays for leaving the reference.
 *
 * Axes: `batch, time`. Rewards outside the mask stay as they are. Gradient: as of `klPrice`.
 * Source: arXiv:1909.08593, eq. 2; verl/trainer/ppo/ray_trainer.py:apply_kl_penalty.
 */
export const lessKl =
  (settings: KlRewardSettings) =>
  (pair: Pair) =>
  (rewards: Tensor<Tokens>): Tensor<Tokens> =>
    sub(rewards, pipe(pair, klPrice(settings)))
