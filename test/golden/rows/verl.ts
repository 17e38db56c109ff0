import {
  type Aggregation,
  fixedDivisor,
  type PolicyBatch,
  sequenceMeanTokenSum,
  tokenMean,
  type Tokens,
  verlSequenceMean,
} from '../../../algorithms/index.js'
import { bool, f32, type TensorsOf } from '../../../dsl/index.js'
import type { GoldenCase } from '../golden-file.js'

/** verl's names for its aggregations, and the counts of a whole step that it takes instead of the micro-batch's own. */
export interface AggregationParams {
  readonly loss_agg_mode: 'token-mean' | 'seq-mean-token-sum' | 'seq-mean-token-mean' | 'seq-mean-token-sum-norm'
  readonly dp_size?: number
  readonly batch_num_tokens?: number
  readonly global_batch_size?: number
  readonly loss_scale_factor?: number
}

export const aggregationOf = ({ loss_agg_mode, dp_size = 1, ...step }: AggregationParams): Aggregation => {
  const across = (how: Aggregation, count: number | undefined): Aggregation =>
    count === undefined ? how : { ...how, across: count / dp_size }
  switch (loss_agg_mode) {
    case 'token-mean':
      return across(tokenMean, step.batch_num_tokens)
    case 'seq-mean-token-sum':
      return across(sequenceMeanTokenSum, step.global_batch_size)
    case 'seq-mean-token-mean':
      return across(verlSequenceMean, step.global_batch_size)
    case 'seq-mean-token-sum-norm':
      return { ...fixedDivisor(step.loss_scale_factor), across: 1 } // divided by the width, and not by the number of rows
  }
}

export interface ClipParams extends AggregationParams {
  readonly clip_ratio: number
  readonly clip_ratio_low: number | null
  readonly clip_ratio_high: number | null
}

export const clipRangeOf = ({
  clip_ratio,
  clip_ratio_low,
  clip_ratio_high,
}: ClipParams): { readonly low: number; readonly high: number } => ({
  low: clip_ratio_low ?? clip_ratio,
  high: clip_ratio_high ?? clip_ratio,
})

/** What verl's policy losses read. */
export const policyInputs = ({ inputs }: GoldenCase) => ({
  log_prob: f32('batch', 'time'),
  old_log_prob: f32('batch', 'time'),
  advantages: f32('batch', 'time'),
  response_mask: bool('batch', 'time'),
  ...('rollout_is_weights' in inputs ? { rollout_is_weights: f32('batch', 'time') } : {}),
})

export const policyBatch = ({
  log_prob,
  old_log_prob,
  advantages,
  response_mask,
  rollout_is_weights,
}: TensorsOf<ReturnType<typeof policyInputs>>): PolicyBatch<Tokens> => ({
  logProbs: log_prob,
  oldLogProbs: old_log_prob,
  refLogProbs: old_log_prob,
  advantages,
  responseMask: response_mask,
  ...(rollout_is_weights === undefined ? {} : { rolloutWeights: rollout_is_weights }),
})
