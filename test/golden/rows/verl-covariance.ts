import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  clipCovLoss,
  drawnCovariances,
  klAbs,
  klCovLoss,
  logRatio,
  presets,
  surrogateTokens,
  verlMaskedMean,
} from '../../../algorithms/index.js'
import { neg, random, toF32, u32 } from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'
import { aggregationOf, type AggregationParams, policyBatch, policyInputs } from './verl.js'

interface KlCovParams extends AggregationParams {
  readonly policy_loss: { readonly kl_cov_ratio: number; readonly ppo_kl_coef: number }
}

const klCov = row<KlCovParams>({
  file: 'verl_policy_kl_cov',
  cases: 8,
  prepare: (golden) => {
    const { kl_cov_ratio: share, ppo_kl_coef: coefficient } = golden.params.policy_loss
    return prepare(golden, {
      inputs: policyInputs(golden),
      by: ['log_prob'],
      outputs: (given) => {
        const batch = policyBatch(given)
        const { logProbs, oldLogProbs, responseMask } = surrogateTokens(batch)
        return {
          value: pipe(batch, klCovLoss({ ...presets.verl.klCov, share, coefficient, beta: 0, aggregation: aggregationOf(golden.params) })),
          metrics: { 'actor/ppo_kl': pipe(klAbs(logProbs, oldLogProbs), aggregate(verlMaskedMean)(responseMask)) },
        }
      },
    })
  },
})

interface ClipCovParams extends AggregationParams {
  readonly clip_ratio: number
  readonly policy_loss: { readonly clip_cov_ratio: number; readonly clip_cov_lb: number; readonly clip_cov_ub: number }
}

const clipCov = row<ClipCovParams>({
  file: 'verl_policy_clip_cov',
  cases: 8,
  prepare: (golden) => {
    const { clip_ratio, policy_loss } = golden.params
    return prepare(golden, {
      inputs: { ...policyInputs(golden), key: u32({ word: 2 }) },
      given: { key: random.key(1) },
      by: ['log_prob'],
      outputs: ({ key, ...given }) => {
        const batch = policyBatch(given)
        const config = {
          ...presets.verl.clipCov,
          clip: { low: clip_ratio, high: clip_ratio },
          share: policy_loss.clip_cov_ratio,
          least: policy_loss.clip_cov_lb,
          most: policy_loss.clip_cov_ub,
          key,
        }
        const tokens = surrogateTokens(batch)
        const mean = aggregate(verlMaskedMean)(tokens.responseMask)
        return {
          value: pipe(batch, clipCovLoss({ ...config, beta: 0, aggregation: aggregationOf(golden.params) })),
          metrics: {
            'actor/pg_clipfrac': pipe(toF32(drawnCovariances(config)(tokens)), mean),
            'actor/ppo_kl': pipe(logRatio(tokens), neg, mean),
          },
        }
      },
    })
  },
})

export const verlCovarianceRows: readonly Row[] = [klCov, clipCov]
