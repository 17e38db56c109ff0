import { pipe } from 'fp-ts/lib/function.js'
import { clipMetrics, grpoLoss, presets, verlMaskedMean } from '../../../algorithms/index.js'
import { bool, f32 } from '../../../dsl/index.js'
import { prepare, type Row } from '../row.js'
import { aggregationOf, type ClipParams, clipRangeOf } from './verl.js'

type Params = ClipParams & { readonly clip_ratio_c: number }

export const verlPolicyVanilla: Row = {
  file: 'verl_policy_vanilla',
  cases: 16,
  prepare: (golden) => {
    const params = golden.params as unknown as Params
    const config = {
      ...presets.verl.grpo,
      beta: 0,
      clip: clipRangeOf(params),
      dualClip: params.clip_ratio_c,
      aggregation: aggregationOf(params),
    }
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
        const { clipFraction, dualClipFraction, oldKl } = pipe(batch, clipMetrics({ ...config, aggregation: verlMaskedMean }))
        return {
          value: pipe(batch, grpoLoss(config)),
          metrics: { 'actor/pg_clipfrac': clipFraction, 'actor/ppo_kl': oldKl, 'actor/pg_clipfrac_lower': dualClipFraction },
        }
      },
    })
  },
}
