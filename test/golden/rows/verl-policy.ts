import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  clippedGain,
  gmpoLoss,
  gspoLoss,
  logRatio,
  type PolicyBatch,
  presets,
  reinforceLoss,
  sapoLoss,
  sequenceRatio,
  meanLogRatio,
  surrogateTokens,
  type Tokens,
  valueClipFraction,
  valueLoss,
  verlMaskedMean,
} from '../../../algorithms/index.js'
import { and, bool, f32, greater, less, mul, neg, or, type Scalar, scalar, type Tensor, toF32 } from '../../../dsl/index.js'
import type { GoldenCase } from '../golden-file.js'
import { prepare, type Prepared, type Row, row } from '../row.js'
import { aggregationOf, type AggregationParams, type ClipParams, clipRangeOf, policyBatch, policyInputs } from './verl.js'

type Batch = PolicyBatch<Tokens>

const meanOver = (batch: Batch) => aggregate(verlMaskedMean)(batch.responseMask)

const share = (batch: Batch, condition: Tensor<Tokens, 'bool'>): Scalar => pipe(toF32(condition), meanOver(batch))

const oldKl = (batch: Batch, limit?: number): Scalar => pipe(logRatio(surrogateTokens(batch), limit), neg, meanOver(batch))

const metrics = (clipFraction: Scalar, kl: Scalar, lower: Scalar = scalar(0)) => ({
  'actor/pg_clipfrac': clipFraction,
  'actor/ppo_kl': kl,
  'actor/pg_clipfrac_lower': lower,
})

const policyCase = (
  golden: GoldenCase,
  outputs: (batch: Batch) => { readonly value: Scalar; readonly metrics: Readonly<Record<string, Scalar>> },
): Prepared => prepare(golden, { inputs: policyInputs(golden), by: ['log_prob'], outputs: (given) => outputs(policyBatch(given)) })

const beta = 0

const gspo = row<ClipParams>({
  file: 'verl_policy_gspo',
  cases: 12,
  prepare: (golden) => {
    const clip = clipRangeOf(golden.params)
    return policyCase(golden, (batch) => {
      const tokens = surrogateTokens(batch)
      const ratio = sequenceRatio(meanLogRatio)(tokens)
      const cut = less(clippedGain(clip)(ratio, tokens.advantages), mul(ratio, tokens.advantages))
      return {
        value: pipe(batch, gspoLoss({ ...presets.verl.gspo, clip, beta })),
        metrics: metrics(share(batch, cut), oldKl(batch)),
      }
    })
  },
})

const sapo = row<{ readonly tau_pos: number; readonly tau_neg: number }>({
  file: 'verl_policy_sapo',
  cases: 10,
  prepare: (golden) => {
    const temperature = { positive: golden.params.tau_pos, negative: golden.params.tau_neg }
    return policyCase(golden, (batch) => ({
      value: pipe(batch, sapoLoss({ ...presets.verl.sapo, temperature, beta })),
      metrics: metrics(scalar(0), oldKl(batch, 20)),
    }))
  },
})

const gpg = row<AggregationParams>({
  file: 'verl_policy_gpg',
  cases: 8,
  prepare: (golden) =>
    policyCase(golden, (batch) => ({
      value: pipe(batch, reinforceLoss({ ...presets.verl.reinforce, beta, aggregation: aggregationOf(golden.params) })),
      metrics: {},
    })),
})

const reinforce = row<AggregationParams>({
  file: 'verl_policy_reinforce',
  cases: 8,
  prepare: (golden) =>
    prepare(golden, {
      inputs: {
        ...policyInputs(golden),
        old_log_prob: f32('batch', 'time'),
      },
      given: { old_log_prob: golden.inputs['rollout_log_prob']! },
      by: ['log_prob'],
      outputs: (given) => {
        const batch = policyBatch(given)
        return {
          value: pipe(batch, reinforceLoss({ ...presets.verl.reinforce, beta, aggregation: aggregationOf(golden.params) })),
          metrics: { 'actor/ppo_kl': oldKl(batch) },
        }
      },
    }),
})

const geometricMean = row<ClipParams>({
  file: 'verl_policy_geo_mean',
  cases: 10,
  prepare: (golden) => {
    const clip = clipRangeOf(golden.params)
    return policyCase(golden, (batch) => {
      const { advantages, ...tokens } = surrogateTokens(batch)
      const x = logRatio(tokens)
      const clipped = or(greater(x, clip.high), less(x, -clip.low))
      return {
        value: pipe(batch, gmpoLoss({ ...presets.verl.gmpo, clip })),
        metrics: metrics(share(batch, and(clipped, greater(advantages, 0))), oldKl(batch), share(batch, and(clipped, less(advantages, 0)))),
      }
    })
  },
})

const values = row<AggregationParams & { readonly cliprange_value: number }>({
  file: 'verl_value_loss',
  cases: 12,
  prepare: (golden) => {
    const clip = golden.params.cliprange_value
    return prepare(golden, {
      inputs: {
        vpreds: f32('batch', 'time'),
        returns: f32('batch', 'time'),
        values: f32('batch', 'time'),
        response_mask: bool('batch', 'time'),
      },
      by: ['vpreds'],
      outputs: ({ vpreds, returns, values, response_mask }) => {
        const batch = { values: vpreds, oldValues: values, returns, responseMask: response_mask }
        return {
          value: pipe(batch, valueLoss({ ...presets.verl.critic.value, clip, aggregation: aggregationOf(golden.params) })),
          vf_clipfrac: pipe(batch, valueClipFraction({ clip, aggregation: verlMaskedMean })),
        }
      },
    })
  },
})

export const verlPolicyRows: readonly Row[] = [gspo, sapo, gpg, reinforce, geometricMean, values]
