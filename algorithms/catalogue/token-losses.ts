import { fixedDivisor, rowMeanTokenMean, tokenMean } from '../aggregate.js'
import { cispoLoss } from '../cispo.js'
import { grpoLoss } from '../grpo.js'
import { presets } from '../presets.js'
import { reinforceLoss } from '../reinforce.js'
import { sapoLoss } from '../sapo.js'
import { entry } from './entry.js'
import { policyInputs, surrogateInputs, tokenInputs } from './inputs.js'

const clip = { low: 0.2, high: 0.2 }

/** Losses of each token's own ratio. */
export const tokenLosses = {
  reinforce: entry({ inputs: surrogateInputs, loss: (of) => reinforceLoss({ beta: 0, aggregation: of(tokenMean) }) }),
  /** PPO's clipped surrogate, of advantages per token. */
  ppoClip: entry({ inputs: tokenInputs, loss: (of) => grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch' | 'time'> }),
  grpo: entry({ inputs: policyInputs, loss: (of) => grpoLoss({ clip, beta: 0.04, aggregation: of(rowMeanTokenMean) }) }),
  bnpo: entry({ inputs: policyInputs, loss: (of) => grpoLoss({ clip, beta: 0.04, aggregation: of(tokenMean) }) }),
  /** Clip-higher, and no reference. Its tokens are those of the whole step: `ofStep`. */
  dapo: entry({
    inputs: surrogateInputs,
    loss: (of) => grpoLoss({ clip: { low: 0.2, high: 0.28 }, beta: 0, aggregation: of(tokenMean) }),
  }),
  drGrpo: entry({ inputs: surrogateInputs, loss: (of) => grpoLoss({ clip, beta: 0, aggregation: of(fixedDivisor(512)) }) }),
  /** A wider batch has a greater divisor. */
  drGrpoByWidth: entry({
    inputs: surrogateInputs,
    paddingInvariant: false,
    loss: (of) => grpoLoss({ clip, beta: 0, aggregation: of(fixedDivisor()) }),
  }),
  /** Dual clip, and log-ratios and KL clamped. */
  dualClip: entry({
    inputs: policyInputs,
    loss: (of) => grpoLoss({ ...presets.verl.grpo, aggregation: of(tokenMean) }),
  }),
  twoSidedClip: entry({
    inputs: surrogateInputs,
    loss: (of) => grpoLoss({ clip, ratioCeiling: 1.5, beta: 0, aggregation: of(tokenMean) }),
  }),
  klByRatio: entry({
    inputs: policyInputs,
    loss: (of) => grpoLoss({ clip, beta: 0.04, klWeight: 'ratio', aggregation: of(tokenMean) }),
  }),
  cispo: entry({
    inputs: surrogateInputs,
    loss: (of) => cispoLoss({ bounds: { most: 5 }, beta: 0, logRatioLimit: 20, aggregation: of(tokenMean) }),
  }),
  cispoTwoSided: entry({
    inputs: policyInputs,
    loss: (of) => cispoLoss({ ...presets.verl.cispo, aggregation: of(tokenMean) }),
  }),
  sapo: entry({
    inputs: surrogateInputs,
    loss: (of) => sapoLoss({ temperature: { positive: 1, negative: 1.05 }, beta: 0, logRatioLimit: 20, aggregation: of(rowMeanTokenMean) }),
  }),
}
