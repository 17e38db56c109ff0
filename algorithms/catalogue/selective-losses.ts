import { pipe } from 'fp-ts/lib/function.js'
import { add, broadcastLike, sub, toF32, u32 } from '../../dsl/index.js'
import { tokenMean } from '../aggregate.js'
import { surrogateTokens } from '../batch.js'
import { clipCovLoss, klCovLoss } from '../covariance.js'
import { entropyBonus } from '../entropy-bonus.js'
import { grpoLoss } from '../grpo.js'
import { highEntropyTokens } from '../high-entropy.js'
import { onPolicyRows } from '../off-policy.js'
import { logRatio } from '../ratio.js'
import { reinforceLoss } from '../reinforce.js'
import { rolloutCorrected } from '../rollout-correction.js'
import { rolloutWeights } from '../rollout-weights.js'
import { entry } from './entry.js'
import { surrogateInputs, tokens } from './inputs.js'

const clip = { low: 0.2, high: 0.2 }

/** Losses that choose or weigh tokens by what the batch holds. */
export const selectiveLosses = {
  entropyBonus: entry({
    inputs: { ...surrogateInputs, entropies: tokens },
    loss: (of) => {
      const [policy, bonus] = [
        grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) }),
        entropyBonus({ coefficient: 0.01, aggregation: of(tokenMean) }),
      ]
      return ({ entropies, ...batch }) => add(policy(batch), bonus({ entropies, responseMask: batch.responseMask }))
    },
  }),
  /** The quantile is one of the batch. */
  highEntropy: entry({
    inputs: { ...surrogateInputs, entropies: tokens },
    rowSeparable: false,
    loss:
      (of) =>
      ({ entropies, ...batch }) =>
        grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch'>({
          ...batch,
          rolloutWeights: toF32(highEntropyTokens(0.5)(entropies, batch.responseMask)),
        }),
  }),
  offPolicyRows: entry({
    inputs: surrogateInputs,
    loss: (of) => (batch) => {
      const { advantages, responseMask } = batch
      const rows = onPolicyRows(0.5)(logRatio(surrogateTokens<'batch'>(batch)), advantages, responseMask)
      return grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch'>({
        ...batch,
        rolloutWeights: pipe(toF32(rows), broadcastLike(batch.logProbs)),
      })
    },
  }),
  truncatedWeights: entry({
    inputs: { ...surrogateInputs, rolloutLogProbs: tokens },
    loss:
      (of) =>
      ({ rolloutLogProbs, ...batch }) =>
        grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch'>({
          ...batch,
          rolloutWeights: rolloutWeights({ level: 'token', most: 2 })(sub(batch.oldLogProbs, rolloutLogProbs), batch.responseMask),
        }),
  }),
  /** The weights' mean is that of the batch. */
  normalisedWeights: entry({
    inputs: { ...surrogateInputs, rolloutLogProbs: tokens },
    rowSeparable: false,
    loss:
      (of) =>
      ({ rolloutLogProbs, ...batch }) =>
        grpoLoss({ clip, beta: 0, aggregation: of(tokenMean) })<'batch'>({
          ...batch,
          rolloutWeights: rolloutWeights({ level: 'token', most: 2, normalise: tokenMean })(
            sub(batch.oldLogProbs, rolloutLogProbs),
            batch.responseMask,
          ),
        }),
  }),
  bypass: entry({
    inputs: surrogateInputs,
    loss: (of) => (batch) =>
      pipe(
        rolloutCorrected({
          reject: [{ statistic: 'k2', level: 'token', most: 2 }],
          weigh: { level: 'token', most: 2 },
        })(batch),
        reinforceLoss({ beta: 0, aggregation: of(tokenMean) })<'batch'>,
      ),
  }),
  /** Which tokens are among the greatest depends on the others. */
  klCov: entry({
    inputs: surrogateInputs,
    rowSeparable: false,
    loss: (of) => klCovLoss({ share: 0.3, coefficient: 1, beta: 0, aggregation: of(tokenMean) }),
  }),
  /** And the draw is another where the batch is wider. */
  clipCov: entry({
    inputs: { ...surrogateInputs, key: u32({ word: 2 }) },
    rowSeparable: false,
    paddingInvariant: false,
    loss:
      (of) =>
      ({ key, ...batch }) =>
        clipCovLoss({ clip, share: 0.3, least: -1, most: 5, key, beta: 0, aggregation: of(tokenMean) })<'batch'>(batch),
  }),
}
