import { pipe } from 'fp-ts/lib/function.js'
import { add, mul, type Scalar } from '../../dsl/index.js'
import { type Aggregation, sequenceMeanTokenSum } from '../aggregate.js'
import { type Setting, toScalar } from '../setting.js'
import { likelihoodLoss } from './likelihood.js'
import { pairLoss } from './pair-loss.js'
import { type MeanSettings, pairMean, type PreferenceBatch, type ScoredResponse } from './pairs.js'
import { pairLogProbs } from './sequences.js'

export interface CpoConfig extends MeanSettings {
  /** The reward of a nat of log-probability. */
  readonly beta: Setting
  /** Weight of the likelihood of the chosen responses, 1 if not said. */
  readonly likelihood?: Setting
  /** How that likelihood's tokens become one number: `sequenceMeanTokenSum`, as published, if not said. TRL has `tokenMean`. */
  readonly aggregation?: Aggregation
}

/**
 * Contrastive Preference Optimization: DPO with a uniform reference, which drops out, and the likelihood of the chosen responses to hold the policy.
 *
 *   L = mean over pairs of −log σ(β·(ℓ_c − ℓ_r)) − λ·agg log π(chosen),   ℓ = Σ over response tokens of log π
 *
 * The weights of pairs, where there are some, are of the first term. Gradient: through `logProbs` alone, inside the masks alone. A response
 * without tokens has ℓ = 0; a batch without response tokens gives 0. A pair's loss does not depend on the other pairs, nor on padding.
 * Source: arXiv:2401.08417, section 3.
 */
export const cpoLoss =
  ({ beta, likelihood = 1, aggregation = sequenceMeanTokenSum, ...settings }: CpoConfig) =>
  (batch: PreferenceBatch<ScoredResponse>): Scalar =>
    add(
      pipe(batch, pairLogProbs({}), pairLoss({ tag: 'sigmoid' }, beta), pairMean(settings)(batch)),
      mul(toScalar(likelihood), likelihoodLoss(aggregation)(batch.chosen)),
    )
