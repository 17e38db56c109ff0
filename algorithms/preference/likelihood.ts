import { pipe } from 'fp-ts/lib/function.js'
import { neg, type Scalar } from '../../dsl/index.js'
import { aggregate, type Aggregation } from '../aggregate.js'
import type { ScoredResponse } from './pairs.js'

/**
 * Maximum likelihood: −agg over response tokens of log π, in nats: the cross-entropy of supervised fine-tuning.
 *
 * Gradient: into `logProbs`, inside the mask. No response token gives 0, where TRL's `sft` gives NaN.
 */
export const likelihoodLoss =
  (aggregation: Aggregation) =>
  ({ logProbs, responseMask }: ScoredResponse): Scalar =>
    neg(pipe(logProbs, aggregate(aggregation)(responseMask)))
