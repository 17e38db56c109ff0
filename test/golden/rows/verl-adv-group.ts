import { pipe } from 'fp-ts/lib/function.js'
import {
  gpgAdvantages,
  groupAdvantages,
  type GroupOptions,
  type GroupSettings,
  opoAdvantages,
  passAtKAdvantages,
  presets,
  reinforcePlusPlus,
  reinforcePlusPlusBaseline,
  responseOnly,
  type Tokens,
  verlWhitening,
} from '../../../algorithms/index.js'
import { add, bool, f32, i32, mul, pad, select, slice, sum, type Tensor } from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'

interface Given {
  readonly scores: Tensor<'batch'>
  readonly group: Tensor<'batch', 'i32'>
  readonly mask: Tensor<Tokens, 'bool'>
}

/** The files write no group above 7, and fewer rows than that. */
const options: GroupOptions<'batch'> = { groups: 8 }

interface GroupRow<P> {
  readonly file: string
  readonly inFloat32?: readonly string[]
  readonly cases?: number
  readonly advantages: (params: P) => (given: Given) => Tensor<'batch'> | Tensor<Tokens>
}

/** verl's estimators by group: of the sum of each row's rewards, of every token, since verl does not mask them; the returns are the advantages. */
const groupRow = <P>({ file, cases = 6, advantages, ...rest }: GroupRow<P>): Row =>
  row<P>({
    file,
    cases,
    ...rest,
    prepare: (golden) =>
      prepare(golden, {
        inputs: { token_level_rewards: f32('batch', 'time'), response_mask: bool('batch', 'time'), index: i32('batch') },
        outputs: ({ token_level_rewards, response_mask: mask, index: group }) => {
          const made = advantages(golden.params)({ scores: pipe(token_level_rewards, sum('time')), group, mask })
          const perToken = pipe(made as Tensor<Tokens>, responseOnly(mask))
          return { value: perToken, returns: perToken }
        },
      }),
  })

interface NormParams {
  readonly norm_adv_by_std_in_grpo: boolean
  readonly epsilon: number
}

const verlSettings = ({ norm_adv_by_std_in_grpo, epsilon }: NormParams): GroupSettings => ({
  ...presets.verl.advantages,
  epsilon,
  scale: norm_adv_by_std_in_grpo ? 'deviation' : 'one',
})

const notDivided = { ...presets.verl.advantages, scale: 'one' } as const

const grpo = groupRow<NormParams>({
  file: 'verl_adv_grpo',
  cases: 9,
  advantages:
    (params) =>
    ({ scores, group }) =>
      groupAdvantages(verlSettings(params))(scores, group, options),
})

/** The variance is no less than ε there. */
const vectorized = groupRow<NormParams>({
  file: 'verl_adv_grpo_vectorized',
  inFloat32: ['value', 'returns'],
  advantages:
    (params) =>
    ({ scores, group }) =>
      groupAdvantages({ ...verlSettings(params), leastDeviation: Math.sqrt(params.epsilon) })(scores, group, options),
})

const passAtK = groupRow<{ readonly config: Omit<NormParams, 'epsilon'>; readonly epsilon: number }>({
  file: 'verl_adv_grpo_passk',
  advantages:
    ({ config, epsilon }) =>
    ({ scores, group }) =>
      passAtKAdvantages(verlSettings({ ...config, epsilon }))(scores, group, options),
})

const leaveOneOut = groupRow({
  file: 'verl_adv_rloo',
  advantages:
    () =>
    ({ scores, group }) =>
      groupAdvantages({ ...notDivided, baseline: 'others' })(scores, group, options),
})

const leaveOneOutVectorized = groupRow({
  file: 'verl_adv_rloo_vectorized',
  advantages:
    () =>
    ({ scores, group }) =>
      groupAdvantages({ ...notDivided, baseline: 'others', singleton: 'zero' })(scores, group, options),
})

const opo = groupRow({
  file: 'verl_adv_opo',
  advantages:
    () =>
    ({ scores, group, mask }) =>
      opoAdvantages({ singleton: 'reward' })(mask)(scores, group, options),
})

const gpg = groupRow<{ readonly f_norm: number }>({
  file: 'verl_adv_gpg',
  advantages:
    ({ f_norm }) =>
    ({ scores, group }) =>
      gpgAdvantages({ singleton: 'reward', divisor: f_norm })(scores, group, options),
})

const baseline = groupRow({
  file: 'verl_adv_reinforce_pp_baseline',
  advantages:
    () =>
    ({ scores, group, mask }) =>
      reinforcePlusPlusBaseline({ singleton: 'reward', whitening: verlWhitening })(mask)(scores, group, options),
})

const plusPlus = row<{ readonly config: { readonly gamma: number } }>({
  file: 'verl_adv_reinforce_pp',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { token_level_rewards: f32('batch', 'time'), response_mask: bool('batch', 'time') },
      outputs: ({ token_level_rewards, response_mask }) => {
        const { gamma } = golden.params.config
        const settings = { gamma, outside: 'reset', whitening: verlWhitening } as const
        const { advantages, returns } = pipe(token_level_rewards, reinforcePlusPlus(settings)(response_mask))
        // Outside the mask verl has what it then resets, where this library has 0.
        const behind = pipe(returns, pad('time', { after: 1 }), slice('time', { from: 1 }))
        return { value: advantages, returns: select(response_mask, returns, add(token_level_rewards, mul(gamma, behind))) }
      },
    }),
})

export const verlGroupRows: readonly Row[] = [grpo, vectorized, passAtK, leaveOneOut, leaveOneOutVectorized, opo, gpg, baseline, plusPlus]
