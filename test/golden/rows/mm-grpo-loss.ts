import { completionMask, presets } from '../../../algorithms/index.js'
import { bool, i32 } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'
import { contiguousGroups, type LossParams, policyInputs, policyOutputs } from './minimind.js'

export const mmGrpoLoss = row<LossParams>({
  file: 'mm_grpo_loss',
  cases: 12,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { ...policyInputs, completion_ids: i32('batch', 'time'), completion_pad_mask: bool('batch', 'time') },
      given: { group: contiguousGroups(golden.inputs['rewards']!, golden.params) },
      by: ['per_token_logps'],
      outputs: (given) => {
        const responseMask = completionMask(golden.params.eos_token_id)(given.completion_ids, given.completion_pad_mask)
        return policyOutputs(given, responseMask, golden.params, presets.minimind)
      },
    }),
})
