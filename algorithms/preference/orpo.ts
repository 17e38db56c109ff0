import { pipe } from 'fp-ts/lib/function.js'
import { add, expm1, log, min, mul, neg, type Scalar, sub, type Tensor } from '../../dsl/index.js'
import { type Aggregation, sequenceMeanTokenMean } from '../aggregate.js'
import { type Setting, toScalar } from '../setting.js'
import { likelihoodLoss } from './likelihood.js'
import { pairLoss } from './pair-loss.js'
import { mapPair, type MeanSettings, pairMean, type PreferenceBatch, type ScoredResponse } from './pairs.js'
import { pairLogProbs } from './sequences.js'

export interface OrpoConfig extends MeanSettings {
  /** Weight of the odds ratio, 0.1 to 0.25 in the paper. */
  readonly lambda: Setting
  /** How the likelihood's tokens become one number: `sequenceMeanTokenMean`, as published, if not said. TRL has `tokenMean`. */
  readonly aggregation?: Aggregation
}

/** log P at which P is taken to be certain: 1 − P is one step of f32 there. */
const almostCertain = -(2 ** -23)

/** log(P/(1 − P)) of log P. Odds end at 2²³: there the policy is as certain as f32 can say, and the gradient is 0. */
const logOdds = (logProb: Tensor<'batch'>): Tensor<'batch'> => {
  const below = min(logProb, almostCertain)
  return sub(below, log(neg(expm1(below))))
}

/**
 * Odds Ratio Preference Optimization: supervised fine-tuning on the chosen responses that also keeps the rejected ones down, without a reference.
 *
 *   L = −agg log π(chosen) + λ·mean over pairs of −log σ(log odds_c − log odds_r),   odds = P/(1 − P), log P = mean over response tokens of log π
 *
 * The weights of pairs, where there are some, are of the second term. Gradient: through `logProbs` alone, inside the masks alone. A response
 * without tokens has P = 1; a batch without response tokens gives 0. A pair's loss does not depend on the other pairs, nor on padding.
 * Source: arXiv:2403.07691, eq. 3 to 7.
 */
export const orpoLoss =
  ({ lambda, aggregation = sequenceMeanTokenMean, ...settings }: OrpoConfig) =>
  (batch: PreferenceBatch<ScoredResponse>): Scalar =>
    add(
      likelihoodLoss(aggregation)(batch.chosen),
      mul(
        toScalar(lambda),
        pipe(
          batch,
          pairLogProbs({ within: { count: 'tokens' } }),
          mapPair(logOdds),
          pairLoss({ tag: 'sigmoid' }, 1),
          pairMean(settings)(batch),
        ),
      ),
    )
