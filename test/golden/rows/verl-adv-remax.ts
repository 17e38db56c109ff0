import { remax } from '../../../algorithms/index.js'
import { bool, f32, select } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

export const verlAdvRemax = row({
  file: 'verl_adv_remax',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { token_level_rewards: f32('batch', 'time'), response_mask: bool('batch', 'time'), reward_baselines: f32('batch') },
      outputs: ({ token_level_rewards, response_mask, reward_baselines }) => {
        const { advantages, returns } = remax(response_mask)(token_level_rewards, reward_baselines)
        // Outside the mask verl has the return, where this library has 0.
        return { value: select(response_mask, advantages, returns), returns }
      },
    }),
})
