import { pipe } from 'fp-ts/lib/function.js'
import {
  type Aggregation,
  cispoLoss,
  clipMetrics,
  clippedGain,
  type ClipRange,
  entropyBonus,
  fixedDivisor,
  gammaWeights,
  grpoLoss,
  gspoLoss,
  highEntropyTokens,
  klOf,
  logRatio,
  meanLogRatio,
  onPolicyRows,
  type PolicyBatch,
  presets,
  responseTokens,
  rowMeanTokenMean,
  sapoLoss,
  surrogateTokens,
  tokenMean,
  type Tokens,
  vespoLoss,
} from '../../../algorithms/index.js'
import {
  add,
  and,
  bool,
  div,
  exp,
  f32,
  less,
  log,
  maskedMean,
  mean,
  mul,
  type Scalar,
  scalar,
  select,
  sum,
  type Tensor,
  toF32,
} from '../../../dsl/index.js'
import type { GoldenCase } from '../golden-file.js'
import { type Ours, prepare, type Row, row } from '../row.js'

type LossType = 'grpo' | 'bnpo' | 'dr_grpo' | 'dapo' | 'cispo' | 'sapo' | 'luspo' | 'vespo'

interface Params {
  readonly loss_type: LossType
  readonly importance_sampling_level: 'token' | 'sequence'
  readonly epsilon_low: number
  readonly epsilon_high: number
  readonly beta: number
  readonly num_items_in_batch: number
  readonly gradient_accumulation_steps: number
  readonly max_completion_length: number
  readonly delta?: number
  readonly use_bias_correction_kl?: boolean
  readonly entropy_coef?: number
  readonly top_entropy_quantile?: number
  readonly off_policy_mask_threshold?: number
  readonly sapo_temperature_pos?: number
  readonly sapo_temperature_neg?: number
}

type Loss = (batch: Batch) => Scalar

interface Batch extends PolicyBatch {
  /** Of the rollout engine, in nats. */
  readonly rolloutLogWeights?: Tensor<'batch'>
}

const clipped =
  (aggregation: Aggregation) =>
  ({ epsilon_low, epsilon_high, beta, delta, use_bias_correction_kl, importance_sampling_level }: Params): Loss => {
    const clip = { low: epsilon_low, high: epsilon_high }
    return importance_sampling_level === 'sequence'
      ? gspoLoss({ ...presets.trl.gspo, clip, beta, aggregation })
      : grpoLoss({
          ...presets.trl.grpo,
          clip,
          beta,
          aggregation,
          ...(delta === undefined ? {} : { ratioCeiling: delta }),
          ...(use_bias_correction_kl === true ? { klWeight: 'ratio' } : {}),
        })
  }

/** A loss of one micro-batch among several of a step, whose gradients are added. */
const oneOfSteps =
  (loss: (params: Params) => Loss) =>
  (params: Params): Loss =>
  (batch) =>
    div(loss(params)(batch), params.gradient_accumulation_steps)

const stepTokens = ({ num_items_in_batch }: Params): Aggregation => ({ ...tokenMean, across: num_items_in_batch })

const losses: { readonly [L in LossType]: (params: Params) => Loss } = {
  grpo: oneOfSteps(clipped(rowMeanTokenMean)),
  bnpo: oneOfSteps(clipped(tokenMean)),
  dr_grpo: oneOfSteps((params) => clipped(fixedDivisor(params.max_completion_length))(params)),
  dapo: (params) => clipped(stepTokens(params))(params),
  cispo: (params) =>
    cispoLoss({ ...presets.trl.cispo, bounds: { most: params.epsilon_high }, beta: params.beta, aggregation: stepTokens(params) }),
  sapo: oneOfSteps(({ beta, sapo_temperature_pos: positive = 1, sapo_temperature_neg: negative = 1.05 }) =>
    sapoLoss({ ...presets.trl.sapo, temperature: { positive, negative }, beta }),
  ),
  luspo: oneOfSteps(clipped(presets.trl.luspo.aggregation)),
  vespo: (params) => vespoLoss({ ...presets.trl.vespo, beta: params.beta, aggregation: stepTokens(params) }),
}

/** So far that no ratio is clipped on that side. */
const unclipped = 1e9

/** TRL's shares of what is clipped, of tokens or of rows: one of both sides, one a side; and of CISPO's weights only those of A above 0. */
const sharesOf = (params: Params, batch: Batch): Readonly<Record<string, Scalar>> => {
  const { epsilon_low, epsilon_high, delta = unclipped } = params
  const byToken = (clip: ClipRange): Scalar => clipMetrics({ clip, aggregation: tokenMean })(batch).clipFraction
  const byRow = (clip: ClipRange): Scalar => {
    const ratio = exp(meanLogRatio(surrogateTokens(batch)))
    return pipe(toF32(less(clippedGain(clip)(ratio, batch.advantages), mul(ratio, batch.advantages))), mean('batch'))
  }
  const share = params.importance_sampling_level === 'sequence' ? byRow : byToken
  switch (params.loss_type) {
    case 'sapo':
      return {}
    case 'vespo': {
      const weights = gammaWeights(presets.trl.vespo)(logRatio(surrogateTokens(batch)), batch.advantages, batch.rolloutLogWeights)
      return { 'vespo/phi_seq_mean': pipe(weights, mean('batch')) }
    }
    case 'cispo':
      return { cispo_clip_ratio: share({ low: unclipped, high: epsilon_high - 1 }) }
    case 'grpo':
    case 'bnpo':
    case 'dr_grpo':
    case 'dapo':
    case 'luspo':
      return {
        'clip_ratio/low_mean': share({ low: epsilon_low, high: unclipped }),
        'clip_ratio/high_mean': share({ low: unclipped, high: Math.min(epsilon_high, delta) }),
        'clip_ratio/region_mean': share({ low: epsilon_low, high: epsilon_high }),
      }
  }
}

const shares = ['["clip_ratio/low_mean"]', '["clip_ratio/high_mean"]', '["clip_ratio/region_mean"]', '.cispo_clip_ratio'].map(
  (name) => `metrics${name}`,
)

/** The tokens that count and the rollout's weights, as one weight of the surrogate. */
const withWeights = (params: Params, batch: PolicyBatch, entropies: Tensor<Tokens>, ratio: Tensor<Tokens> | undefined): Batch => {
  const { responseMask: mask, advantages } = batch
  if (params.loss_type === 'vespo') return ratio === undefined ? batch : { ...batch, rolloutLogWeights: pipe(log(ratio), sum('time')) }
  const rows =
    params.off_policy_mask_threshold === undefined
      ? mask
      : and(mask, onPolicyRows(params.off_policy_mask_threshold)(logRatio(surrogateTokens(batch)), advantages, mask))
  const tokens = and(rows, entropyMask(params, entropies, mask))
  return { ...batch, rolloutWeights: ratio === undefined ? toF32(tokens) : select(tokens, ratio, 0) }
}

const entropyMask = ({ top_entropy_quantile }: Params, entropies: Tensor<Tokens>, mask: Tensor<Tokens, 'bool'>): Tensor<Tokens, 'bool'> =>
  top_entropy_quantile === undefined ? mask : highEntropyTokens(top_entropy_quantile)(entropies, mask)

/** The bonus is of the mean over the step's tokens where the loss is, else over this batch's. */
const bonusOf = (params: Params, entropies: Tensor<Tokens>, mask: Tensor<Tokens, 'bool'>): Scalar => {
  const [aggregation, steps] = params.loss_type === 'dapo' ? [stepTokens(params), 1] : [tokenMean, params.gradient_accumulation_steps]
  const bonus = entropyBonus({ coefficient: params.entropy_coef ?? 0, aggregation })
  return div(bonus({ entropies, responseMask: entropyMask(params, entropies, mask) }), steps)
}

const trlRow = (file: string, cases: number, differs?: (golden: GoldenCase<Params>) => Readonly<Record<string, Ours>>): Row =>
  row<Params>({
    file,
    cases,
    inFloat32: shares,
    // The least and the greatest share of a row: this library has no shares by row.
    without: ['metrics["clip_ratio/low_min"]', 'metrics["clip_ratio/high_max"]'],
    ...(differs === undefined ? {} : { differs }),
    prepare: (golden) => {
      const { params } = golden
      const has = (name: string): boolean => name in golden.inputs
      const optional = <const N extends string>(name: N) =>
        (has(name) ? { [name]: f32('batch', 'time') } : {}) as Readonly<Partial<Record<N, ReturnType<typeof f32<'batch' | 'time'>>>>>
      const bonus = params.entropy_coef !== undefined
      return prepare(golden, {
        inputs: {
          per_token_logps: f32('batch', 'time'),
          ...optional('old_per_token_logps'),
          ...optional('ref_per_token_logps'),
          ...optional('importance_sampling_ratio'),
          entropies: f32('batch', 'time'),
          advantages: f32('batch'),
          mask: bool('batch', 'time'),
        },
        by: ['per_token_logps', ...(bonus ? ['entropies'] : [])],
        outputs: ({
          per_token_logps,
          old_per_token_logps,
          ref_per_token_logps,
          importance_sampling_ratio,
          entropies,
          advantages,
          mask,
        }) => {
          const plain = {
            logProbs: per_token_logps,
            oldLogProbs: old_per_token_logps ?? per_token_logps,
            refLogProbs: ref_per_token_logps ?? per_token_logps,
            advantages,
            responseMask: mask,
          }
          const batch = withWeights(params, plain, entropies, importance_sampling_ratio)
          const klWeight = params.use_bias_correction_kl === true ? 'ratio' : 'one'
          const kl = pipe(responseTokens(plain), klOf({ ...presets.trl.grpo, klWeight }), maskedMean(mask, 'batch', 'time'))
          const policy = pipe(batch, losses[params.loss_type](params))
          return {
            value: bonus ? add(policy, bonusOf(params, entropies, mask)) : policy,
            metrics: {
              entropy: pipe(entropies, maskedMean(mask, 'batch', 'time')),
              ...(has('ref_per_token_logps') ? { kl } : {}),
              ...(bonus ? { policy_loss: policy, entropy_coef: scalar(params.entropy_coef) } : {}),
              ...sharesOf(params, batch),
            },
          }
        },
      })
    },
  })

type Matrix = readonly (readonly number[])[]

/** LUSPO with a KL: the peer takes the mean of both over all places, those outside the mask too; here each is a sum over a row's tokens. */
const luspo = ({ inputs, params }: GoldenCase<Params>): Readonly<Record<string, Ours>> => {
  if (params.beta === 0) return {}
  const [x, old, ref, mask] = ['per_token_logps', 'old_per_token_logps', 'ref_per_token_logps', 'mask'].map(
    (name) => inputs[name] as Matrix,
  )
  const advantages = inputs['advantages'] as readonly number[]
  const share = 1 / (advantages.length * params.gradient_accumulation_steps)
  const rows = advantages.map((a, b) => {
    const at = mask![b]!.flatMap((m, t) => (m === 1 ? [t] : []))
    const s = Math.exp(at.reduce((sum, t) => sum + x![b]![t]! - old![b]![t]!, 0) / Math.max(at.length, 1))
    const near = Math.min(Math.max(s, 1 - params.epsilon_low), 1 + params.epsilon_high)
    const d = (t: number): number => ref![b]![t]! - x![b]![t]!
    const kl = at.reduce((sum, t) => sum + Math.expm1(d(t)) - d(t), 0)
    const slope = s * a <= near * a ? s * a : 0
    return {
      value: share * (params.beta * kl - at.length * Math.min(s * a, near * a)),
      gradient: mask![b]!.map((m, t) => (m === 1 ? share * (-params.beta * Math.expm1(d(t)) - slope) : 0)),
    }
  })
  const because = 'what lies outside the mask has no part in a loss'
  return {
    value: { ours: rows.reduce((sum, { value }) => sum + value, 0), because },
    'grads.per_token_logps': { ours: rows.map(({ gradient }) => gradient), because },
  }
}

/**
 * DAPO among the tokens of highest entropy: the peer's quantile is rounded to float32, and where that is up, the median of an odd number of
 * tokens is not above itself.
 */
const halfOfTokens = ({ inputs, params }: GoldenCase<Params>): Readonly<Record<string, Ours>> => {
  if (params.loss_type !== 'dapo' || params.beta !== 0) return {}
  const flat = (name: string): readonly number[] => (inputs[name] as Matrix).flat()
  const [x, old, entropies, mask] = [flat('per_token_logps'), flat('old_per_token_logps'), flat('entropies'), flat('mask')]
  const kept = entropies.filter((_, i) => mask[i] === 1).toSorted((p, q) => p - q)
  const median = kept[(kept.length - 1) / 2]!
  const advantages = inputs['advantages'] as readonly number[]
  const share = 1 / params.num_items_in_batch
  const tokens = x.map((logProb, i) => {
    if (mask[i] !== 1 || entropies[i]! < median) return { loss: 0, entropy: 0, gradient: 0, entropyGradient: 0 }
    const [a, r] = [advantages[Math.floor((i * advantages.length) / x.length)]!, Math.exp(logProb - old[i]!)]
    const near = Math.min(Math.max(r, 1 - params.epsilon_low), 1 + params.epsilon_high)
    const coefficient = share * params.entropy_coef!
    return {
      loss: -share * Math.min(r * a, near * a),
      entropy: coefficient * entropies[i]!,
      gradient: r * a <= near * a ? -share * r * a : 0,
      entropyGradient: -coefficient,
    }
  })
  const because = 'the token at the quantile is one of those that are not below it'
  const policy = tokens.reduce((sum, { loss }) => sum + loss, 0)
  return {
    value: { ours: policy - tokens.reduce((sum, { entropy }) => sum + entropy, 0), because },
    'metrics.policy_loss': { ours: policy, because },
    'grads.per_token_logps': { ours: tokens.map(({ gradient }) => gradient), because },
    'grads.entropies': { ours: tokens.map(({ entropyGradient }) => entropyGradient), because },
  }
}

export const trlLosses: readonly Row[] = [
  ...['grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo', 'sapo', 'vespo', 'gspo'].map((name) => trlRow(`trl_loss_${name}`, 9)),
  trlRow('trl_loss_luspo', 9, luspo),
  trlRow('trl_loss_options', 16, halfOfTokens),
]
