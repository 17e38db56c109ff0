import { pipe } from 'fp-ts/lib/function.js'
import { completionMask, gae, onLastToken, presets, whiten } from '../../../algorithms/index.js'
import { bool, countTrue, f32, i32, maximum } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly gamma: number
  readonly lam: number
  readonly eos_token_id: number
}

export const mmPpoMaskGae = row<Params>({
  file: 'mm_ppo_mask_gae',
  cases: 9,
  prepare: (golden) => {
    const { gamma, lam, eos_token_id } = golden.params
    return prepare(golden, {
      inputs: {
        completion_ids: i32('batch', 'time'),
        completion_mask: bool('batch', 'time'),
        values: f32('batch', 'time'),
        rewards: f32('batch'),
      },
      outputs: ({ completion_ids, completion_mask, values, rewards }) => {
        const responseMask = completionMask(eos_token_id)(completion_ids, completion_mask)
        const tokenRewards = pipe(rewards, onLastToken(responseMask))
        const { advantages, returns } = gae({ gamma, lambda: lam })({ rewards: tokenRewards, values, responseMask })
        return {
          value: pipe(advantages, whiten(presets.minimind.critic.whitening)(responseMask)),
          returns,
          resp_policy_mask: responseMask,
          resp_lengths: maximum(pipe(responseMask, countTrue('time')), 1),
          token_rewards: tokenRewards,
        }
      },
    })
  },
})
