import { optimalTokenBaseline, type TokenBaselineSettings } from '../../../algorithms/index.js'
import { bool, f32, i32 } from '../../../dsl/index.js'
import { prepare, type Row, row } from '../row.js'

const otbRow = (file: string, step: TokenBaselineSettings['step']): Row =>
  row<{ readonly handle_zero_tail: boolean }>({
    file,
    cases: 6,
    prepare: (golden) =>
      prepare(golden, {
        inputs: {
          token_level_rewards: f32('batch', 'time'),
          response_mask: bool('batch', 'time'),
          index: i32('batch'),
          old_log_probs: f32('batch', 'time'),
          sum_pi_squared: f32('batch', 'time'),
          ...('rollout_is_weights' in golden.inputs ? { rollout_is_weights: f32('batch', 'time') } : {}),
        },
        outputs: ({ token_level_rewards, response_mask, index, old_log_probs, sum_pi_squared, rollout_is_weights }) => {
          const lone = golden.params.handle_zero_tail ? 'return' : 'zero'
          const { advantages, returns } = optimalTokenBaseline({ step, lone, epsilon: 1e-8 })(
            {
              rewards: token_level_rewards,
              logProbs: old_log_probs,
              collision: sum_pi_squared,
              responseMask: response_mask,
              ...(rollout_is_weights === undefined ? {} : { rolloutWeights: rollout_is_weights }),
            },
            index,
            { groups: 8 },
          )
          return { value: advantages, returns }
        },
      }),
  })

export const verlTokenBaselineRows: readonly Row[] = [otbRow('verl_adv_otb', 'place'), otbRow('verl_adv_tir_otb', 'responseToken')]
