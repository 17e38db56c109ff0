import { pipe } from 'fp-ts/lib/function.js'
import { gammaWeights, gmpoLoss, type Level, onPolicyRows, presets, rlooLoss, rolloutWeights } from '../../../algorithms/index.js'
import { bool, countTrue, f32, greater, log, maskedSum, max, select, sub, sum, toF32 } from '../../../dsl/index.js'
import type { GoldenCase, Nested } from '../golden-file.js'
import { type Ours, prepare, type Row, row } from '../row.js'

const token = f32('batch', 'time')

/** A column as a vector. */
const column = (x: Nested): Nested => (x as readonly (readonly Nested[])[]).map(([first]) => first!)

const gamma = row<{ readonly k_pos: number; readonly lambda_pos: number; readonly k_neg: number; readonly lambda_neg: number }>({
  file: 'trl_vespo_gamma_weights',
  cases: 6,
  prepare: (golden) => {
    const { k_pos, lambda_pos, k_neg, lambda_neg } = golden.params
    const shapes = { positive: { k: k_pos, lambda: lambda_pos }, negative: { k: k_neg, lambda: lambda_neg } }
    return prepare(golden, {
      inputs: {
        log_ratio_per_token: token,
        mask: bool('batch', 'time'),
        advantage: f32('batch'),
        ...('importance_sampling_ratio' in golden.inputs ? { importance_sampling_ratio: token } : {}),
      },
      given: { advantage: column(golden.inputs['advantages']!) },
      outputs: ({ log_ratio_per_token, mask, advantage, importance_sampling_ratio }) => {
        const rollout = importance_sampling_ratio && pipe(log(importance_sampling_ratio), sum('time'))
        return { value: gammaWeights(shapes)(select(mask, log_ratio_per_token, 0), advantage, rollout) }
      },
    })
  },
})

const offPolicy = row<{ readonly off_policy_threshold: number }>({
  file: 'trl_off_policy_mask',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { advantage: f32('batch'), per_token_logps: token, sampling_per_token_logps: token, mask: bool('batch', 'time') },
      given: { advantage: column(golden.inputs['advantages']!) },
      outputs: ({ advantage, per_token_logps, sampling_per_token_logps, mask }) => ({
        value: toF32(onPolicyRows(golden.params.off_policy_threshold)(sub(per_token_logps, sampling_per_token_logps), advantage, mask)),
      }),
    }),
})

interface RatioParams {
  readonly mode: `${Level}_${'truncate' | 'mask'}`
  readonly clip_max: number | null
  readonly clip_min: number | null
}

/** The peer's ratio is 1 where there is no token; a weight here is 0 there. */
const rolloutRatio = row<RatioParams>({
  file: 'trl_vllm_is_ratio',
  cases: 8,
  prepare: (golden) => {
    const { mode, clip_max, clip_min } = golden.params
    const [level, how] = mode.split('_') as [Level, 'truncate' | 'mask']
    const weights = rolloutWeights({
      level,
      beyond: how === 'truncate' ? 'truncate' : 'drop',
      ...(clip_max === null ? {} : { most: clip_max }),
      ...(clip_min === null ? {} : { least: clip_min }),
    })
    return prepare(golden, {
      inputs: { old_per_token_logps: token, sampling_per_token_logps: token, mask: bool('batch', 'time') },
      outputs: ({ old_per_token_logps, sampling_per_token_logps, mask }) => {
        const made = weights(sub(old_per_token_logps, sampling_per_token_logps), mask)
        const perToken = select(mask, made, 1)
        const hasToken = greater(pipe(mask, countTrue('time')), 0)
        return { value: level === 'token' ? perToken : select(hasToken, pipe(made, max('time')), 1) }
      },
    })
  },
})

/** The peer counts a row without tokens as if its ratio were 1: −A, a constant. */
const withoutEmptyRows = ({ inputs, outputs }: GoldenCase): Readonly<Record<string, Ours>> => {
  const mask = inputs['mask'] as readonly (readonly number[])[]
  const advantages = inputs['advantages'] as readonly number[]
  const missing = advantages.filter((_, b) => !mask[b]!.includes(1)).reduce((sum, a) => sum + a, 0)
  const ours = (outputs['value'] as number) + missing / advantages.length
  return missing === 0 ? {} : { value: { ours, because: 'a row without tokens says nothing' } }
}

const geometricMean = row<{ readonly epsilon_low: number; readonly epsilon_high: number }>({
  file: 'trl_gmpo_loss',
  cases: 6,
  differs: withoutEmptyRows,
  prepare: (golden) => {
    const clip = { low: golden.params.epsilon_low, high: golden.params.epsilon_high }
    return prepare(golden, {
      inputs: { per_token_logps: token, old_per_token_logps: token, advantages: f32('batch'), mask: bool('batch', 'time') },
      by: ['per_token_logps'],
      outputs: ({ per_token_logps, old_per_token_logps, advantages, mask }) => ({
        value: pipe(
          { logProbs: per_token_logps, oldLogProbs: old_per_token_logps, advantages, responseMask: mask },
          gmpoLoss({ ...presets.trl.gmpo, clip }),
        ),
      }),
    })
  },
})

const leaveOneOut = row<{ readonly epsilon_low: number; readonly epsilon_high: number }>({
  file: 'trl_rloo_loss',
  cases: 6,
  prepare: (golden) => {
    const clip = { low: golden.params.epsilon_low, high: golden.params.epsilon_high }
    return prepare(golden, {
      inputs: { per_token_logps: token, completion_mask: bool('batch', 'time'), old_logps: f32('batch'), advantages: f32('batch') },
      by: ['per_token_logps'],
      outputs: ({ per_token_logps, completion_mask, old_logps, advantages }) => ({
        value: rlooLoss({ ...presets.trl.rloo, clip })({
          logProbs: pipe(per_token_logps, maskedSum(completion_mask, 'time')),
          oldLogProbs: old_logps,
          advantages,
        }),
      }),
    })
  },
})

export const trlPartRows: readonly Row[] = [gamma, offPolicy, rolloutRatio, geometricMean, leaveOneOut]
