import { pipe } from 'fp-ts/lib/function.js'
import { clipMetrics, grpoLoss, presets, verlMaskedMean } from '../../../algorithms/index.js'
import { prepare, row } from '../row.js'
import { aggregationOf, type ClipParams, clipRangeOf, policyBatch, policyInputs } from './verl.js'

type Params = ClipParams & { readonly clip_ratio_c: number }

export const verlPolicyVanilla = row<Params>({
  file: 'verl_policy_vanilla',
  cases: 16,
  prepare: (golden) => {
    const { params } = golden
    const config = {
      ...presets.verl.grpo,
      beta: 0,
      clip: clipRangeOf(params),
      dualClip: params.clip_ratio_c,
      aggregation: aggregationOf(params),
    }
    return prepare(golden, {
      inputs: policyInputs(golden),
      by: ['log_prob'],
      outputs: (given) => {
        const batch = policyBatch(given)
        const { clipFraction, dualClipFraction, oldKl } = pipe(batch, clipMetrics({ ...config, aggregation: verlMaskedMean }))
        return {
          value: pipe(batch, grpoLoss(config)),
          metrics: { 'actor/pg_clipfrac': clipFraction, 'actor/ppo_kl': oldKl, 'actor/pg_clipfrac_lower': dualClipFraction },
        }
      },
    })
  },
})
