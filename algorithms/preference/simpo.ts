import { pipe } from 'fp-ts/lib/function.js'
import { mul, type Scalar, sub } from '../../dsl/index.js'
import { type Setting, toScalar } from '../setting.js'
import { negLogSigmoid } from './pair-loss.js'
import { type MeanSettings, pairMean, type PreferenceBatch, type ScoredResponse } from './pairs.js'
import { pairLogProbs } from './sequences.js'

export interface SimpoConfig extends MeanSettings {
  /** The reward of a nat of a response's mean log-probability, 2 to 10 in the paper. */
  readonly beta: Setting
  /** By how much reward the chosen response is to be ahead, 0.3 to 1.6 in the paper. */
  readonly gamma: Setting
}

/**
 * Simple Preference Optimization: DPO without a reference, by the mean log-probability of a response, and with a margin to reach.
 *
 *   L = mean over pairs of −log σ(β·(ℓ_c − ℓ_r) − γ),   ℓ = mean over response tokens of log π
 *
 * Gradient: through `logProbs` alone, inside the masks alone. A response without tokens has ℓ = 0; a batch without response tokens gives 0.
 * A pair's loss does not depend on the other pairs, nor on padding.
 * Source: arXiv:2405.14734, eq. 6.
 */
export const simpoLoss =
  ({ beta, gamma, ...settings }: SimpoConfig) =>
  (batch: PreferenceBatch<ScoredResponse>): Scalar => {
    const { chosen, rejected } = pairLogProbs({ within: { count: 'tokens' } })(batch)
    const margin = mul(toScalar(beta), sub(chosen, rejected))
    return pipe(sub(margin, toScalar(gamma)), negLogSigmoid, pairMean(settings)(batch))
  }
