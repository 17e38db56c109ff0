import { pipe } from 'fp-ts/lib/function.js'
import { cispoLoss, presets, verlMaskedMean, weightMetrics } from '../../../algorithms/index.js'
import { scalar } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'
import { aggregationOf, type ClipParams, clipRangeOf, policyBatch, policyInputs } from './verl.js'

export const verlPolicyCispo = row<ClipParams>({
  file: 'verl_policy_cispo',
  cases: 12,
  prepare: (golden) => {
    const { params } = golden
    const { low, high } = clipRangeOf(params)
    const config = { ...presets.verl.cispo, beta: 0, bounds: { least: 1 - low, most: 1 + high }, aggregation: aggregationOf(params) }
    return prepare(golden, {
      inputs: policyInputs(golden),
      by: ['log_prob'],
      outputs: (given) => {
        const batch = policyBatch(given)
        const { clipFraction, oldKl } = pipe(batch, weightMetrics({ ...config, aggregation: verlMaskedMean }))
        return {
          value: pipe(batch, cispoLoss(config)),
          metrics: { 'actor/pg_clipfrac': clipFraction, 'actor/ppo_kl': oldKl, 'actor/pg_clipfrac_lower': scalar(0) },
        }
      },
    })
  },
})
