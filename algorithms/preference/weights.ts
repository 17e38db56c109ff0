import { pipe } from 'fp-ts/lib/function.js'
import { add, exp, log, maskedMean, select, stopGradient, sub, type Tensor } from '../../dsl/index.js'
import type { Tokens } from '../batch.js'
import { mapPair, type Pair, type ScoredResponse } from './pairs.js'

/** A response with, at each token, how likely the policy says one token twice. */
export interface WeighedResponse extends ScoredResponse {
  /** Σ_v π(v)² over the vocabulary at each place (`collisionProbability`). */
  readonly collisions: Tensor<Tokens>
}

/** The mean over a response's tokens of log π − log Σ π²; 0 without a token. */
const alignment = ({ logProbs, collisions, responseMask }: WeighedResponse): Tensor<'batch'> =>
  pipe(sub(logProbs, log(select(responseMask, collisions, 1))), maskedMean(responseMask, 'time'))

/**
 * How like the policy's own responses a pair is: the weight that makes a fixed set of pairs count as if the policy had drawn them.
 *
 *   w = exp(a_c + a_r),   a = mean over response tokens of (log π − log Σ_v π(v)²)
 *
 * It is about 1 where the responses are as likely as ones that the policy draws. Gradient: none, a weight is data.
 * Source: WPO, arXiv:2406.11827, eq. 2 with sampled alignment; TRL dpo_trainer.py (`use_weighting`).
 */
export const wpoWeights = (pair: Pair<WeighedResponse>): Tensor<'batch'> => {
  const { chosen, rejected } = mapPair(alignment)(pair)
  return stopGradient(exp(add(chosen, rejected)))
}
