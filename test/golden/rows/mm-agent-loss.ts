import { pipe } from 'fp-ts/lib/function.js'
import { completionMask, groupAdvantages, presets } from '../../../algorithms/index.js'
import { bool, f32, i32, rename, slice } from '../../../dsl/index.js'
import { prepare, type Row } from '../row.js'
import { contiguousGroups, lossOf, type LossParams } from './minimind.js'

export const mmAgentLoss: Row = {
  file: 'mm_agent_loss',
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
        input_ids: i32('batch', 'position'),
        full_response_masks: bool('batch', 'position'),
      },
      given: { group: contiguousGroups(golden.inputs['rewards']!, params) },
      by: ['per_token_logps'],
      outputs: (given) => {
        const advantages = groupAdvantages(presets.minimindAgent.advantages)(given.rewards, given.group)
        // Both are of the whole sequence, whose first token is predicted by nothing.
        const ids = pipe(given.input_ids, slice('position', { from: 1 }), rename({ position: 'time' }))
        const written = pipe(given.full_response_masks, slice('position', { from: 1 }), rename({ position: 'time' }))
        const responseMask = completionMask(params.eos_token_id)(ids, written)
        const batch = {
          logProbs: given.per_token_logps,
          oldLogProbs: given.old_per_token_logps,
          refLogProbs: given.ref_per_token_logps,
          advantages,
          responseMask,
        }
        return { value: pipe(batch, lossOf(params, presets.minimindAgent)), advantages, completion_mask: responseMask }
      },
    })
  },
}
