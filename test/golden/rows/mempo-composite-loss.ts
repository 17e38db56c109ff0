import { pipe } from 'fp-ts/lib/function.js'
import {
  aggregate,
  grpoSurrogate,
  klOf,
  mempoLoss,
  presets,
  responseOnly,
  responseTokens,
  tokenMean,
  withMemory,
} from '../../../algorithms/index.js'
import { bool, f32, i32, neg } from '../../../dsl/index.js'
import { prepare, row } from '../row.js'

interface Params {
  readonly clip_ratio: number
  readonly kl_coef: number
}

export const mempoCompositeLoss = row<Params>({
  file: 'mempo_composite_loss',
  cases: 8,
  prepare: (golden) => {
    const { clip_ratio, kl_coef } = golden.params
    const config = { ...presets.mempo.grpo, clip: { low: clip_ratio, high: clip_ratio }, beta: kl_coef }
    return prepare(golden, {
      inputs: {
        log_prob: f32('batch', 'time'),
        old_log_prob: f32('batch', 'time'),
        ref_log_prob: f32('batch', 'time'),
        outcome_advantage: f32('batch'),
        memory_advantage: f32('batch', 'turn'),
        mem_span_turn: i32('batch', 'time'),
        response_mask: bool('batch', 'time'),
      },
      by: ['log_prob'],
      outputs: (given) => {
        const batch = {
          logProbs: given.log_prob,
          oldLogProbs: given.old_log_prob,
          refLogProbs: given.ref_log_prob,
          advantages: given.outcome_advantage,
          memoryAdvantages: given.memory_advantage,
          spanTurn: given.mem_span_turn,
          responseMask: given.response_mask,
        }
        const advantages = withMemory(given.outcome_advantage, given.memory_advantage, given.mem_span_turn)
        const tokens = responseTokens({ ...batch, advantages })
        const mean = aggregate(tokenMean)(given.response_mask)
        return {
          value: pipe(batch, mempoLoss(config)),
          final_advantage: pipe(advantages, responseOnly(given.response_mask)),
          policy_loss: pipe(tokens, grpoSurrogate(config), mean, neg),
          kl_loss: pipe(tokens, klOf(config), mean),
        }
      },
    })
  },
})
