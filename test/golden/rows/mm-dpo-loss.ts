import { dpoLoss, dpoPresets } from '../../../algorithms/index.js'
import { bool, f32 } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'
import { halves, zipPairs } from './pairs.js'

export const mmDpoLoss = row<{ readonly beta: number }>({
  file: 'mm_dpo_loss',
  cases: 8,
  prepare: (golden) =>
    prepare(golden, {
      inputs: { policy_log_probs: f32('batch', 'time'), ref_log_probs: f32('batch', 'time'), mask: bool('batch', 'time') },
      by: ['policy_log_probs'],
      outputs: ({ policy_log_probs, ref_log_probs, mask }) => {
        const half = halves('mask', golden)
        const batch = zipPairs({ logProbs: half(policy_log_probs), refLogProbs: half(ref_log_probs), responseMask: half(mask) })
        return { value: dpoLoss({ ...dpoPresets.minimind, beta: golden.params.beta })(batch) }
      },
    }),
})
