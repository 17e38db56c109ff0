import { pipe } from 'fp-ts/lib/function.js'
import { answerProbability, groupAdvantages, memoryRewards, presets } from '../../../algorithms/index.js'
import { bool, f32, i32, where } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly epsilon: number
  readonly ddof: 0 | 1
}

export const mempoMemoryAdvantage = row<Params>({
  file: 'mempo_memory_advantage',
  cases: 8,
  prepare: (golden) =>
    prepare(golden, {
      inputs: {
        answer_logps_given_mem: f32('batch', 'turn', 'answer'),
        answer_logps_given_full: f32('batch', 'turn', 'answer'),
        answer_mask: bool('batch', 'answer'),
        turn_valid: bool('batch', 'turn'),
        group: i32('batch'),
      },
      outputs: ({ answer_logps_given_mem, answer_logps_given_full, answer_mask, turn_valid, group }) => {
        const settings = { ...presets.mempo.advantages, ...golden.params }
        const probes = { givenMemory: answer_logps_given_mem, givenHistory: answer_logps_given_full, answerMask: answer_mask }
        const rewards = memoryRewards()(probes)
        return {
          value: groupAdvantages(settings)(rewards, group, { valid: turn_valid }),
          p_mem: pipe(answer_logps_given_mem, answerProbability(answer_mask)),
          p_full: pipe(answer_logps_given_full, answerProbability(answer_mask)),
          memory_reward: pipe(rewards, where(turn_valid)),
        }
      },
    }),
})
