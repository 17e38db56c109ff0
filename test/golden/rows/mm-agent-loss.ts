import { pipe } from 'fp-ts/lib/function.js'
import { completionMask, presets } from '../../../algorithms/index.js'
import { bool, i32, rename, slice } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'
import { contiguousGroups, type LossParams, policyInputs, policyOutputs } from './minimind.js'

export const mmAgentLoss = row<LossParams>({
  file: 'mm_agent_loss',
  cases: 12,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { ...policyInputs, input_ids: i32('batch', 'position'), full_response_masks: bool('batch', 'position') },
      given: { group: contiguousGroups(golden.inputs['rewards']!, golden.params) },
      by: ['per_token_logps'],
      outputs: (given) => {
        // Both are of the whole sequence, whose first token is predicted by nothing.
        const ids = pipe(given.input_ids, slice('position', { from: 1 }), rename({ position: 'time' }))
        const written = pipe(given.full_response_masks, slice('position', { from: 1 }), rename({ position: 'time' }))
        return policyOutputs(given, completionMask(golden.params.eos_token_id)(ids, written), golden.params, presets.minimindAgent)
      },
    }),
})
