import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  type Aggregation,
  type DriftLevel,
  type DriftStatistic,
  clipMetrics,
  grpoLoss,
  importanceWeights,
  keptTokens,
  type Level,
  logRatio,
  type PolicyBatch,
  presets,
  reinforceLoss,
  type Rejection,
  responseOnly,
  rolloutCorrected,
  type RolloutCorrection,
  rolloutWeights,
  rowsOf,
  surrogateTokens,
  tokenMean,
  type Tokens,
  verlMaskedMean,
  verlSequenceMean,
  weightMean,
  weightStatistics,
} from '../../../algorithms/index.js'
import {
  abs,
  and,
  bool,
  div,
  exp,
  f32,
  greater,
  less,
  log,
  max,
  mean,
  min,
  minOver,
  mul,
  neg,
  not,
  type Scalar,
  scalar,
  sqrt,
  sub,
  sum,
  type Tensor,
  toF32,
} from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'
import { aggregationOf, type AggregationParams, policyBatch, policyInputs } from './verl.js'

type Mask = Tensor<Tokens, 'bool'>
type Metrics = Readonly<Record<string, Scalar>>

/** What verl says of the weights of rows: of the mean of each, rows without tokens among them. */
const rowMetrics = (weights: Tensor<Tokens>, mask: Mask, threshold: number): Metrics => {
  const rows = pipe(weights, rowsOf(verlSequenceMean.within)(mask))
  const share = (condition: Tensor<'batch', 'bool'>): Scalar => pipe(toF32(condition), mean('batch'))
  const centred = sub(rows, pipe(rows, mean('batch')))
  const count = pipe(toF32(greater(rows, -1)), sum('batch'))
  return {
    rollout_is_seq_mean: pipe(rows, mean('batch')),
    rollout_is_seq_std: sqrt(div(pipe(mul(centred, centred), sum('batch')), sub(count, 1))),
    rollout_is_seq_max: pipe(rows, max('batch')),
    rollout_is_seq_min: pipe(rows, minOver('batch')),
    rollout_is_seq_max_deviation: pipe(abs(sub(rows, 1)), max('batch')),
    rollout_is_seq_fraction_high: share(greater(rows, threshold)),
    rollout_is_seq_fraction_low: share(less(rows, 1 / threshold)),
  }
}

/** The extremes and the shares beyond the threshold: over tokens, or over rows, of which one without tokens weighs e⁰. */
const extremes: { readonly [L in Level]: (x: Tensor<Tokens>, mask: Mask, threshold: number) => Metrics } = {
  token: (x, mask, threshold) => {
    const weights = importanceWeights('token')(x, mask)
    const { least, most } = weightStatistics({ bound: threshold, aggregation: verlMaskedMean })(weights, mask)
    const share = (condition: Mask): Scalar => pipe(toF32(condition), aggregate(verlMaskedMean)(mask))
    return {
      rollout_is_min: least,
      rollout_is_max: most,
      rollout_is_ratio_fraction_high: share(greater(weights, threshold)),
      rollout_is_ratio_fraction_low: share(less(weights, 1 / threshold)),
    }
  },
  sequence: (x, mask, threshold) => {
    const rows = pipe(x, responseOnly(mask), sum('time'))
    const share = (condition: Tensor<'batch', 'bool'>): Scalar => pipe(toF32(condition), mean('batch'))
    return {
      rollout_is_min: exp(pipe(rows, minOver('batch'))),
      rollout_is_max: exp(min(pipe(rows, max('batch')), 20)),
      rollout_is_ratio_fraction_high: share(greater(rows, log(scalar(threshold)))),
      rollout_is_ratio_fraction_low: share(less(rows, neg(log(scalar(threshold))))),
    }
  },
}

const inFloat32 = [
  'rollout_is_ratio_fraction_high',
  'rollout_is_ratio_fraction_low',
  'rollout_is_seq_fraction_high',
  'rollout_is_seq_fraction_low',
]

/** By which verl normalises: the mean over tokens, or over rows. */
const meanOfLevel: { readonly [L in Level]: Aggregation } = { token: tokenMean, sequence: verlSequenceMean }

interface WeightParams {
  readonly rollout_is: Level
  readonly rollout_is_threshold: number
  readonly rollout_is_batch_normalize: boolean
}

const weights = row<WeightParams>({
  file: 'verl_rollout_is_weights',
  cases: 8,
  inFloat32: inFloat32.map((name) => `metrics.${name}`),
  prepare: (golden) => {
    const { rollout_is: level, rollout_is_threshold: most, rollout_is_batch_normalize } = golden.params
    return prepare(golden, {
      inputs: { log_ratio: f32('batch', 'time'), response_mask: bool('batch', 'time') },
      outputs: ({ log_ratio, response_mask: mask }) => {
        const whole = importanceWeights(level)(log_ratio, mask)
        const {
          mean: average,
          deviation,
          effectiveSampleSize,
        } = weightStatistics({
          bound: most,
          aggregation: verlMaskedMean,
          epsilon: 1e-8,
        })(whole, mask)
        const normalise = rollout_is_batch_normalize ? { normalise: meanOfLevel[level] } : {}
        return {
          value: rolloutWeights({ ...presets.verl.rolloutWeights, level, most, ...normalise })(log_ratio, mask),
          metrics: {
            rollout_is_mean: average,
            rollout_is_std: deviation,
            rollout_is_eff_sample_size: effectiveSampleSize,
            ...extremes[level](log_ratio, mask, most),
            ...rowMetrics(whole, mask, most),
            ...(rollout_is_batch_normalize ? { rollout_is_batch_norm_factor: weightMean(meanOfLevel[level], mask, min(whole, most)) } : {}),
          },
        }
      },
    })
  },
})

/** `token_k2,seq_mean_k1` with `0.15,0.7_1.5`: for k1 bounds on π_rollout/π_train, for the others one on the statistic. */
const rulesOf = (names: string, thresholds: string): readonly Rejection[] => {
  const limits = thresholds.split(',')
  return names.split(',').map((name, i): Rejection => {
    const parts = name.split('_')
    const statistic = parts.at(-1) as DriftStatistic
    const level = parts.at(-2) as DriftLevel
    const [first = NaN, second] = limits[i]!.split('_').map(Number)
    if (statistic !== 'k1') return { statistic, level, most: first }
    const [least, most] = second === undefined ? [1 / first, first] : [first, second]
    return { statistic, level, least: Math.log(least), most: Math.log(most) }
  })
}

const rejections = row<{ readonly rollout_rs: string; readonly rollout_rs_threshold: string }>({
  file: 'verl_rollout_rejection_mask',
  cases: 9,
  inFloat32: ['seq_masked_fraction'],
  prepare: (golden) => {
    const rules = rulesOf(golden.params.rollout_rs, golden.params.rollout_rs_threshold)
    return prepare(golden, {
      inputs: { log_ratio: f32('batch', 'time'), response_mask: bool('batch', 'time') },
      outputs: ({ log_ratio, response_mask: mask }) => {
        const kept = keptTokens(rules)(log_ratio, mask)
        const rejected = toF32(and(mask, not(kept)))
        return {
          value: toF32(kept),
          masked_fraction: pipe(rejected, aggregate(verlMaskedMean)(mask)),
          seq_masked_fraction: pipe(rejected, max('time'), mean('batch')),
        }
      },
    })
  },
})

interface BypassParams extends AggregationParams {
  readonly rollout_correction: {
    readonly loss_type: 'reinforce' | 'ppo_clip'
    readonly rollout_is: Level | null
    readonly rollout_is_threshold?: number
    readonly rollout_is_batch_normalize?: boolean
    readonly rollout_rs?: string
    readonly rollout_rs_threshold?: string
  }
}

type Batch = PolicyBatch<Tokens>

const correctionOf = ({ rollout_correction: settings }: BypassParams): RolloutCorrection => {
  const rules = settings.rollout_rs === undefined ? {} : { reject: rulesOf(settings.rollout_rs, settings.rollout_rs_threshold!) }
  if (settings.rollout_is === null || settings.loss_type === 'ppo_clip') return rules
  const level = settings.rollout_is
  const normalise = settings.rollout_is_batch_normalize === true ? { normalise: meanOfLevel[level] } : {}
  return { ...rules, weigh: { ...presets.verl.rolloutWeights, level, most: settings.rollout_is_threshold!, ...normalise } }
}

const bypass = row<BypassParams>({
  file: 'verl_policy_bypass_mode',
  cases: 10,
  prepare: (golden) => {
    const { params } = golden
    const aggregation = aggregationOf(params)
    return prepare(golden, {
      inputs: policyInputs(golden),
      by: ['log_prob'],
      outputs: (given) => {
        const batch = rolloutCorrected(correctionOf(params))<Tokens, Batch>(policyBatch(given))
        if (params.rollout_correction.loss_type === 'reinforce')
          return {
            value: pipe(batch, reinforceLoss({ ...presets.verl.reinforce, beta: 0, aggregation })),
            metrics: { 'actor/ppo_kl': pipe(logRatio(surrogateTokens(batch)), neg, aggregate(verlMaskedMean)(batch.responseMask)) },
          }
        const config = { ...presets.verl.grpo, beta: 0, aggregation }
        const { clipFraction, dualClipFraction, oldKl } = pipe(batch, clipMetrics({ ...config, aggregation: verlMaskedMean }))
        return {
          value: pipe(batch, grpoLoss(config)),
          metrics: { 'actor/pg_clipfrac': clipFraction, 'actor/ppo_kl': oldKl, 'actor/pg_clipfrac_lower': dualClipFraction },
        }
      },
    })
  },
})

export const verlRolloutRows: readonly Row[] = [weights, rejections, bypass]
