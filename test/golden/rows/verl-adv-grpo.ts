import { pipe } from 'fp-ts/lib/function.js'
import { groupAdvantages, presets, responseOnly } from '../../../algorithms/index.js'
import { bool, f32, i32, sum } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly norm_adv_by_std_in_grpo: boolean
  readonly epsilon: number
}

export const verlAdvGrpo = row<Params>({
  file: 'verl_adv_grpo',
  cases: 9,
  prepare: (golden) => {
    const { norm_adv_by_std_in_grpo, epsilon } = golden.params
    const settings = { ...presets.verl.advantages, epsilon, scale: norm_adv_by_std_in_grpo ? 'deviation' : 'one' } as const
    return prepare(golden, {
      inputs: { token_level_rewards: f32('batch', 'time'), response_mask: bool('batch', 'time'), index: i32('batch') },
      outputs: ({ token_level_rewards, response_mask, index }) => {
        const scores = pipe(token_level_rewards, sum('time')) // of every token: verl does not mask the rewards
        const perToken = pipe(groupAdvantages(settings)(scores, index, { groups: 8 }), responseOnly(response_mask))
        return { value: perToken, returns: perToken }
      },
    })
  },
})
