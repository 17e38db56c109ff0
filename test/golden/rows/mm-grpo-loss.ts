import { pipe } from 'fp-ts/lib/function.js'
import { completionMask, groupAdvantages, presets } from '../../../algorithms/index.js'
import { bool, f32, i32 } from '../../../dsl/index.js'
import { prepare, type Row } from '../row.js'
import { contiguousGroups, lossOf, type LossParams } from './minimind.js'

export const mmGrpoLoss: Row = {
  file: 'mm_grpo_loss',
  cases: 12,
  prepare: (golden) => {
    const params = golden.params as unknown as LossParams
    return prepare(golden, {
      inputs: {
        per_token_logps: f32('batch', 'time'),
        old_per_token_logps: f32('batch', 'time'),
        ref_per_token_logps: f32('batch', 'time'),
        rewards: f32('batch'),
        group: i32('batch'),
        completion_ids: i32('batch', 'time'),
        completion_pad_mask: bool('batch', 'time'),
      },
      given: { group: contiguousGroups(golden.inputs['rewards']!, params) },
      by: ['per_token_logps'],
      outputs: (given) => {
        const advantages = groupAdvantages(presets.minimind.advantages)(given.rewards, given.group)
        const responseMask = completionMask(params.eos_token_id)(given.completion_ids, given.completion_pad_mask)
        const batch = {
          logProbs: given.per_token_logps,
          oldLogProbs: given.old_per_token_logps,
          refLogProbs: given.ref_per_token_logps,
          advantages,
          responseMask,
        }
        return { value: pipe(batch, lossOf(params, presets.minimind)), advantages, completion_mask: responseMask }
      },
    })
  },
}
