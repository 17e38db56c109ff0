import { pipe } from 'fp-ts/lib/function.js'
import {
  type Aggregation,
  cispoLoss,
  clipMetrics,
  type ClipRange,
  fixedDivisor,
  grpoLoss,
  klOf,
  type PolicyBatch,
  presets,
  responseTokens,
  rowMeanTokenMean,
  tokenMean,
} from '../../../algorithms/index.js'
import { bool, div, f32, maskedMean, type Scalar } from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'

type LossType = 'grpo' | 'bnpo' | 'dr_grpo' | 'dapo' | 'cispo'

interface Params {
  readonly loss_type: LossType
  readonly epsilon_low: number
  readonly epsilon_high: number
  readonly beta: number
  readonly num_items_in_batch: number
  readonly gradient_accumulation_steps: number
  readonly max_completion_length: number
}

type Loss = (batch: PolicyBatch) => Scalar

const clipped =
  (aggregation: Aggregation) =>
  ({ epsilon_low, epsilon_high, beta }: Params): Loss =>
    grpoLoss({ ...presets.trl.grpo, clip: { low: epsilon_low, high: epsilon_high }, beta, aggregation })

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
}

/** So far that no ratio is clipped on that side. */
const unclipped = 1e9

/** TRL's shares of clipped tokens: one of both sides, one a side; and of CISPO's weights only those of an advantage above 0. */
const sharesOf = (type: LossType, { epsilon_low, epsilon_high }: Params, batch: PolicyBatch): Readonly<Record<string, Scalar>> => {
  const share = (clip: ClipRange): Scalar => clipMetrics({ clip, aggregation: tokenMean })(batch).clipFraction
  return type === 'cispo'
    ? { cispo_clip_ratio: share({ low: unclipped, high: epsilon_high - 1 }) }
    : {
        'clip_ratio/low_mean': share({ low: epsilon_low, high: unclipped }),
        'clip_ratio/high_mean': share({ low: unclipped, high: epsilon_high }),
        'clip_ratio/region_mean': share({ low: epsilon_low, high: epsilon_high }),
      }
}

const shares = ['["clip_ratio/low_mean"]', '["clip_ratio/high_mean"]', '["clip_ratio/region_mean"]', '.cispo_clip_ratio'].map(
  (name) => `metrics${name}`,
)

const trlRow = (type: LossType): Row =>
  row<Params>({
    file: `trl_loss_${type}`,
    cases: 9,
    inFloat32: shares,
    // The least and the greatest share of a row: this library has no shares by row.
    without: ['metrics["clip_ratio/low_min"]', 'metrics["clip_ratio/high_max"]'],
    prepare: (golden) => {
      const { params } = golden
      const hasReference = 'ref_per_token_logps' in golden.inputs
      return prepare(golden, {
        inputs: {
          per_token_logps: f32('batch', 'time'),
          old_per_token_logps: f32('batch', 'time'),
          ...(hasReference ? { ref_per_token_logps: f32('batch', 'time') } : {}),
          entropies: f32('batch', 'time'),
          advantages: f32('batch'),
          mask: bool('batch', 'time'),
        },
        by: ['per_token_logps'],
        outputs: ({ per_token_logps, old_per_token_logps, ref_per_token_logps, entropies, advantages, mask }) => {
          const batch = {
            logProbs: per_token_logps,
            oldLogProbs: old_per_token_logps,
            refLogProbs: ref_per_token_logps ?? old_per_token_logps,
            advantages,
            responseMask: mask,
          }
          const kl = pipe(responseTokens(batch), klOf(presets.trl.grpo), maskedMean(mask, 'batch', 'time'))
          return {
            value: pipe(batch, losses[type](params)),
            metrics: {
              entropy: pipe(entropies, maskedMean(mask, 'batch', 'time')),
              ...(hasReference ? { kl } : {}),
              ...sharesOf(type, params, batch),
            },
          }
        },
      })
    },
  })

export const trlLosses: readonly Row[] = (['grpo', 'bnpo', 'dr_grpo', 'dapo', 'cispo'] as const).map(trlRow)
