import { pipe } from 'fp-ts/lib/function.js'
import { cispoLoss, presets, verlMaskedMean, weightMetrics } from '../../../algorithms/index.js'
import { bool, f32, scalar } from '../../../dsl/index.js'
import { prepare, type Row } from '../row.js'
import { aggregationOf, type ClipParams, clipRangeOf } from './verl.js'

export const verlPolicyCispo: Row = {
  file: 'verl_policy_cispo',
  cases: 12,
  prepare: (golden) => {
    const params = golden.params as unknown as ClipParams
    const { low, high } = clipRangeOf(params)
    const config = { ...presets.verl.cispo, beta: 0, bounds: { least: 1 - low, most: 1 + high }, aggregation: aggregationOf(params) }
    return prepare(golden, {
      inputs: {
        log_prob: f32('batch', 'time'),
        old_log_prob: f32('batch', 'time'),
        advantages: f32('batch', 'time'),
        response_mask: bool('batch', 'time'),
        ...('rollout_is_weights' in golden.inputs ? { rollout_is_weights: f32('batch', 'time') } : {}),
      },
      by: ['log_prob'],
      outputs: ({ log_prob, old_log_prob, advantages, response_mask, rollout_is_weights }) => {
        const batch = {
          logProbs: log_prob,
          oldLogProbs: old_log_prob,
          refLogProbs: old_log_prob,
          advantages,
          responseMask: response_mask,
          ...(rollout_is_weights === undefined ? {} : { rolloutWeights: rollout_is_weights }),
        }
        const { clipFraction, oldKl } = pipe(batch, weightMetrics({ ...config, aggregation: verlMaskedMean }))
        return {
          value: pipe(batch, cispoLoss(config)),
          metrics: { 'actor/pg_clipfrac': clipFraction, 'actor/ppo_kl': oldKl, 'actor/pg_clipfrac_lower': scalar(0) },
        }
      },
    })
  },
}
