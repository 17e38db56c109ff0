import { pipe } from 'fp-ts/lib/function.js'
import { f32, i32, where } from '../../dsl/index.js'
import { gae } from '../advantages/gae.js'
import { reinforcePlusPlus } from '../advantages/reinforce-plus-plus.js'
import { tokenMean } from '../aggregate.js'
import type { Tokens } from '../batch.js'
import { whiten } from '../advantages/whiten.js'
import { groupAdvantages } from '../groups.js'
import { grpoLoss } from '../grpo.js'
import { mempoLoss } from '../mempo.js'
import { ppoLoss } from '../ppo.js'
import { presets } from '../presets.js'
import { reinforceLoss } from '../reinforce.js'
import { valueLoss } from '../value.js'
import { entry } from './entry.js'
import { policyInputs, surrogateInputs, tokenInputs, tokens, valueInputs } from './inputs.js'

const clip = { low: 0.2, high: 0.2 }

const { advantages: _, ...unjudged } = surrogateInputs

/** Losses with a critic, with the memory's advantage, or with advantages that they make themselves. */
export const wholeLosses = {
  value: entry({ inputs: valueInputs, loss: (of) => valueLoss({ clip: 0.2, aggregation: of(tokenMean) }) }),
  ppo: entry({
    inputs: { ...tokenInputs, ...valueInputs },
    loss:
      (of) =>
      ({ logProbs, oldLogProbs, advantages, responseMask, ...critic }) =>
        ppoLoss({
          policy: { clip, beta: 0, aggregation: of(tokenMean) },
          value: { clip: 0.2, aggregation: of(tokenMean) },
          valueCoefficient: 0.5,
        })({ logProbs, oldLogProbs, advantages, responseMask }, { ...critic, responseMask }),
  }),
  mempo: entry({
    inputs: { ...policyInputs, memoryAdvantages: f32('batch', 'turn'), spanTurn: i32('batch', 'time') },
    loss: (of) => mempoLoss({ ...presets.mempo.grpo, aggregation: of(tokenMean) }),
  }),
  /** The rows of a group are compared with each other. */
  grpoOfRewards: entry({
    inputs: { ...unjudged, rewards: f32('batch'), group: i32('batch') },
    rowSeparable: false,
    loss:
      (of) =>
      ({ rewards, group, ...batch }) =>
        grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch'>({
          ...batch,
          advantages: groupAdvantages(presets.trl.advantages)(rewards, group),
        }),
  }),
  /** The advantages are whitened over the batch. */
  ppoOfRewards: entry({
    inputs: { ...unjudged, rewards: tokens, values: tokens },
    rowSeparable: false,
    loss:
      (of) =>
      ({ rewards, values, ...batch }) => {
        const { advantages } = gae(presets.trl.critic.gae)({ rewards, values, responseMask: batch.responseMask })
        return grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<Tokens>({
          ...batch,
          advantages: pipe(advantages, where(batch.responseMask), whiten(presets.trl.critic.whitening)(batch.responseMask)),
        })
      },
  }),
  /** As are these. */
  reinforcePlusPlus: entry({
    inputs: { ...unjudged, rewards: tokens },
    rowSeparable: false,
    loss:
      (of) =>
      ({ rewards, ...batch }) =>
        reinforceLoss({ beta: 0, aggregation: of(tokenMean) })<Tokens>({
          ...batch,
          advantages: pipe(rewards, reinforcePlusPlus({ gamma: 1, whitening: { ddof: 1, epsilon: 1e-8 } })(batch.responseMask)).advantages,
        }),
  }),
}
