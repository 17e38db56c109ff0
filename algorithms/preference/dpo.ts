import { pipe } from 'fp-ts/lib/function.js'
import type { Scalar } from '../../dsl/index.js'
import type { Setting } from '../setting.js'
import { type Divergence, divergenceScore } from './divergence.js'
import { type PairLoss, pairLoss } from './pair-loss.js'
import { mapPair, type MeanSettings, pairMean, type PreferenceBatch } from './pairs.js'
import { pairLogRatios, type SequenceSettings } from './sequences.js'

export interface DpoConfig extends SequenceSettings, MeanSettings {
  /** How strongly the policy is held to the reference: the reward of a nat of log-ratio. */
  readonly beta: Setting
  /** `sigmoid` if not said: DPO itself. */
  readonly loss?: PairLoss
  /** `reverseKl` if not said. */
  readonly divergence?: Divergence
}

/**
 * Direct Preference Optimization and its relatives: the policy's own log-ratios are the rewards that pairs of responses are compared by.
 *
 *   L = mean over pairs of w·ℓ(β·f(s_c), β·f(s_r)),   s = Σ over response tokens of log π − log π_ref
 *
 * ℓ is the loss of a pair, f the score under the divergence, w the pair's weight where it has one.
 * Gradient: through `logProbs` alone, inside the masks alone. A response without tokens has s = 0; a batch without response tokens gives 0.
 * A pair's loss does not depend on the other pairs, nor on padding.
 * Source: arXiv:2305.18290, eq. 7; TRL dpo_trainer.py:_compute_loss.
 */
export const dpoLoss =
  ({ beta, loss = { tag: 'sigmoid' }, divergence = { tag: 'reverseKl' }, ...settings }: DpoConfig) =>
  (batch: PreferenceBatch): Scalar =>
    pipe(batch, pairLogRatios(settings), mapPair(divergenceScore(divergence)), pairLoss(loss, beta), pairMean(settings)(batch))
