import { pipe } from 'fp-ts/lib/function.js'
import { gae, type KlName, lessKl, onLastToken, presets, whiten } from '../../../algorithms/index.js'
import { add, f32, i32, not, sizeAlong, withinLength } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly kl_coef: number
  readonly kl_estimator: KlName
  readonly whiten_rewards: boolean
  readonly gamma: number
  readonly lam: number
}

export const trlPpoRewardsGae = row<Params>({
  file: 'trl_ppo_rewards_gae',
  cases: 8,
  prepare: (golden) => {
    const { kl_coef, kl_estimator, whiten_rewards, gamma, lam } = golden.params
    const { whitening } = presets.trl.critic
    return prepare(golden, {
      inputs: {
        logprobs: f32('batch', 'time'),
        ref_logprobs: f32('batch', 'time'),
        values: f32('batch', 'time'),
        scores: f32('batch'),
        sequence_lengths: i32('batch'),
      },
      outputs: ({ logprobs, ref_logprobs, values, scores, sequence_lengths }) => {
        // The peer's length is the place of the last token; its critic also has a value one place behind, where the score goes.
        const size = sizeAlong('time')(logprobs)
        const responseMask = pipe(add(sequence_lengths, 1), withinLength('time', { size }))
        const valueMask = pipe(add(sequence_lengths, 2), withinLength('time', { size }))
        const pair = { logProbs: logprobs, refLogProbs: ref_logprobs, responseMask }
        const raw = pipe(scores, onLastToken(valueMask), lessKl({ beta: kl_coef, kl: kl_estimator })(pair))
        const rewards = whiten_rewards ? pipe(raw, whiten({ ...whitening, shift: false })(valueMask)) : raw
        const { advantages, returns } = gae({ gamma, lambda: lam })({ rewards, values, responseMask: valueMask })
        return {
          value: pipe(advantages, whiten(whitening)(responseMask)),
          returns,
          rewards,
          padding_mask: not(responseMask),
          padding_mask_p1: not(valueMask),
        }
      },
    })
  },
})
