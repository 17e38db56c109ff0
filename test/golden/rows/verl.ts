import {
  type Aggregation,
  fixedDivisor,
  sequenceMeanTokenSum,
  type Setting,
  tokenMean,
  verlSequenceMean,
} from '../../../algorithms/index.js'

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

/** verl clamps a log-ratio to ± this many nats before the exponential. */
export const logRatioLimit: Setting = 20
