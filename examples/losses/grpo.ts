// GRPO with a length-independent divisor. Try: axgrad check examples/losses/grpo.ts, axgrad inspect examples/losses/grpo.ts,
// axgrad train --task countdown --loss examples/losses/grpo.ts: a trainer knows its inputs by these names.
import { fixedDivisor, groupAdvantages, grpoLoss, presets } from 'axgrad/algorithms'
import { bool, defineLoss, f32, i32 } from 'axgrad/dsl'

export const loss = defineLoss({
  name: 'grpo',
  inputs: {
    logProbs: f32('batch', 'time'),
    oldLogProbs: f32('batch', 'time'),
    refLogProbs: f32('batch', 'time'),
    responseMask: bool('batch', 'time'),
    rewards: f32('batch'),
    /** Rows that answer one question have one group, counted from 0. */
    group: i32('batch'),
  },
  loss: ({ rewards, group, ...batch }) =>
    grpoLoss({ clip: { low: 0.2, high: 0.28 }, beta: 0.04, aggregation: fixedDivisor() })({
      ...batch,
      advantages: groupAdvantages(presets.drGrpo.advantages)(rewards, group),
    }),
})
