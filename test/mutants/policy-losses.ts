import { cispoLoss, grpoLoss, gspoLoss, mempoLoss, type PolicyBatch, presets } from '../../algorithms/index.js'
import { bool, defineLoss, f32, i32, type Loss, type Scalar } from '../../dsl/index.js'
import type { Verifiable } from './losses.js'

const inputs = {
  logProbs: f32('batch', 'time'),
  oldLogProbs: f32('batch', 'time'),
  refLogProbs: f32('batch', 'time'),
  advantages: f32('batch'),
  responseMask: bool('batch', 'time'),
}

const ofPolicy = (name: string, loss: (batch: PolicyBatch) => Scalar): Verifiable => ({
  loss: defineLoss({ name, inputs, loss: (batch) => loss(batch) }) as unknown as Loss<never>,
  options: {},
})

const memory = { memoryAdvantages: f32('batch', 'turn'), spanTurn: i32('batch', 'time') }

/** Losses of the library that stop gradients: all but one field, a weight, and a straight-through ratio. */
export const policyLosses: readonly Verifiable[] = [
  ofPolicy('GRPO', grpoLoss(presets.verl.grpo)),
  ofPolicy('CISPO', cispoLoss(presets.verl.cispo)),
  ofPolicy('GSPO-token', gspoLoss({ clip: { low: 0.5, high: 0.5 }, level: 'token', beta: 0.1 })),
  {
    loss: defineLoss({
      name: 'MemPO',
      inputs: { ...inputs, ...memory },
      loss: (batch) => mempoLoss(presets.mempo.grpo)(batch),
    }) as unknown as Loss<never>,
    options: { ranges: { spanTurn: [-1, 1] }, sizes: { turn: 2 } },
  },
]
