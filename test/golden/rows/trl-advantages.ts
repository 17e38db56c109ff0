import { pipe } from 'fp-ts/lib/function.js'
import {
  advantagesOfSum,
  batchAdvantages,
  groupAdvantages,
  type GroupSettings,
  hasReward,
  klPrice,
  presets,
  sumOfAdvantages,
  uniformGroups,
  weightedReward,
} from '../../../algorithms/index.js'
import { bool, clip, f32, i32, isNumber, maskedStd, mul, sub, sum, type Tensor, toF32 } from '../../../dsl/index.js'
import type { GoldenCase, Nested } from '../golden-file.js'
import { type Ours, prepare, type Row, row } from '../row.js'

/** The peer's groups are so many rows that follow one another; and the weights are a setting there. */
const grouped = ({ inputs }: GoldenCase, { num_generations, reward_weights }: GroupParams) => ({
  group: (inputs['rewards_per_func'] as readonly Nested[]).map((_, i) => Math.floor(i / num_generations)),
  weights: reward_weights,
})

interface GroupParams {
  readonly num_generations: number
  readonly reward_weights: readonly number[]
}

interface GrpoParams extends GroupParams {
  readonly scale_rewards: 'group' | 'batch' | 'none'
  readonly multi_objective_aggregation: 'sum_then_normalize' | 'normalize_then_sum'
}

const scales: { readonly [S in GrpoParams['scale_rewards']]: GroupSettings['scale'] } = {
  group: 'deviation',
  batch: 'batchDeviation',
  none: 'one',
}

/** The deviation of one reward is NaN in the peer, and so not 0. */
const loneIsUniform = ({ inputs, params }: GoldenCase<GrpoParams>): Readonly<Record<string, Ours>> => {
  const rows = inputs['rewards_per_func'] as readonly (readonly number[])[]
  const ours = rows.map((_, i) => {
    const first = i - (i % params.num_generations)
    return Number(rows.slice(first, first + params.num_generations).filter((row) => !row.every(Number.isNaN)).length === 1)
  })
  const isLone = params.scale_rewards !== 'batch' && params.num_generations > 1 && ours.includes(1)
  return isLone ? { is_std_zero: { ours, because: 'a group with one reward has no spread' } } : {}
}

const grpo = row<GrpoParams>({
  file: 'trl_grpo_advantages',
  cases: 12,
  differs: loneIsUniform,
  prepare: (golden) => {
    const { scale_rewards, multi_objective_aggregation } = golden.params
    const bySum = multi_objective_aggregation === 'sum_then_normalize'
    return prepare(golden, {
      inputs: { rewards_per_func: f32('batch', 'reward'), weights: f32('reward'), group: i32('batch') },
      given: grouped(golden, golden.params),
      outputs: ({ rewards_per_func: rewards, weights, group }) => {
        const settings = presets.trl.advantages
        const value = bySum
          ? advantagesOfSum({ ...settings, scale: scales[scale_rewards] })(rewards, weights, group)
          : sumOfAdvantages(settings)(rewards, weights, group)
        const scaled = bySum ? pipe(rewards, weightedReward(weights)) : value
        const scaledWithin = bySum && scale_rewards !== 'batch' ? group : mul(group, 0)
        return { value, is_std_zero: toF32(uniformGroups(scaled, scaledWithin, { valid: hasReward(rewards) })) }
      },
    })
  },
})

interface RlooParams extends GroupParams {
  readonly beta: number
  readonly normalize_advantages: boolean
  readonly reward_clip_range: readonly [number, number] | null
}

const leaveOneOut = row<RlooParams>({
  file: 'trl_rloo_advantages',
  cases: 8,
  prepare: (golden) => {
    const { beta, normalize_advantages, reward_clip_range: range } = golden.params
    const settings = presets.trl.advantages
    return prepare(golden, {
      inputs: {
        rewards_per_func: f32('batch', 'reward'),
        weights: f32('reward'),
        group: i32('batch'),
        old_per_token_logps: f32('batch', 'time'),
        ref_per_token_logps: f32('batch', 'time'),
        completion_mask: bool('batch', 'time'),
      },
      given: grouped(golden, golden.params),
      outputs: ({ rewards_per_func, weights, group, old_per_token_logps, ref_per_token_logps, completion_mask }) => {
        const pair = { logProbs: old_per_token_logps, refLogProbs: ref_per_token_logps, responseMask: completion_mask }
        const said = pipe(rewards_per_func, weightedReward(weights))
        const scores = range === null ? said : pipe(said, clip(...range))
        const valid = hasReward(rewards_per_func)
        const advantages = groupAdvantages({ ...settings, baseline: 'others', scale: 'one' })(
          sub(scores, pipe(pair, klPrice({ beta }), sum('time'))),
          group,
          { valid },
        )
        return { value: normalize_advantages ? batchAdvantages(settings)(advantages, { valid }) : advantages }
      },
    })
  },
})

const withoutNaN = (x: Nested): Nested => (typeof x === 'number' ? (Number.isNaN(x) ? 0 : x) : x.map(withoutNaN))

/** The peer's deviation of one number is NaN. */
const zeroOfOne = ({ outputs }: GoldenCase): Readonly<Record<string, Ours>> => {
  const value = outputs['value'] as Nested
  const ours = withoutNaN(value)
  return JSON.stringify(value).includes('null') ? { value: { ours, because: 'one number has no spread' } } : {}
}

const deviation = row<{ readonly dim: 0 | 1 | null }>({
  file: 'trl_nanstd',
  cases: 6,
  differs: zeroOfOne,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { tensor: f32('batch', 'time') },
      outputs: ({ tensor }): { readonly value: Tensor<'batch'> | Tensor<'time'> | Tensor<never> } => {
        const valid = isNumber(tensor)
        const settings = { ddof: 1 } as const
        switch (golden.params.dim) {
          case 0:
            return { value: pipe(tensor, maskedStd(valid, 'batch', settings)) }
          case 1:
            return { value: pipe(tensor, maskedStd(valid, 'time', settings)) }
          case null:
            return { value: pipe(tensor, maskedStd(valid, 'batch', 'time', settings)) }
        }
      },
    }),
})

export const trlAdvantageRows: readonly Row[] = [grpo, leaveOneOut, deviation]
