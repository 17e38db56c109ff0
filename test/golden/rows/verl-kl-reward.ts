import { pipe } from 'fp-ts/lib/function.js'
import { adaptedKlWeight, lessKl } from '../../../algorithms/index.js'
import { broadcastLike, f32, scalar } from '../../../dsl/index.js'
import type { Nested } from '../golden-file.js'
import { prepare, row } from '../row.js'

export const verlComputeRewards = row<{ readonly kl_ratio: number }>({
  file: 'verl_compute_rewards',
  cases: 6,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { token_level_scores: f32('batch', 'time'), old_log_prob: f32('batch', 'time'), ref_log_prob: f32('batch', 'time') },
      by: ['old_log_prob'],
      outputs: ({ token_level_scores, old_log_prob, ref_log_prob }) => {
        const everyToken = pipe(scalar(1, 'bool'), broadcastLike(old_log_prob)) // this older form knows no mask
        const pair = { logProbs: old_log_prob, refLogProbs: ref_log_prob, responseMask: everyToken }
        return { value: pipe(token_level_scores, lessKl({ beta: golden.params.kl_ratio })(pair)) }
      },
    }),
})

interface ControllerParams {
  readonly init_kl_coef: number
  readonly target_kl: number
  readonly horizon: number
}

const numbers = (x: Nested | undefined): readonly number[] => x as readonly number[]

/** It runs on the host: the program carries its numbers. */
export const verlAdaptiveKlController = row<ControllerParams>({
  file: 'verl_adaptive_kl_controller',
  cases: 6,
  prepare: (golden) => {
    const { init_kl_coef, target_kl, horizon } = golden.params
    const samples = numbers(golden.inputs['n_steps'])
    const weights = numbers(golden.inputs['current_kl']).reduce<readonly number[]>(
      (made, kl, i) => [
        ...made,
        adaptedKlWeight({ target: target_kl, horizon })(made.at(-1) ?? init_kl_coef, { kl, samples: samples[i]! }),
      ],
      [],
    )
    return prepare(golden, { inputs: { weights: f32('step') }, given: { weights }, outputs: (given) => ({ value: given.weights }) })
  },
})
