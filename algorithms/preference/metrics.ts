import { pipe } from 'fp-ts/lib/function.js'
import { greater, mul, type Scalar, sub, type Tensor, toF32 } from '../../dsl/index.js'
import { type Setting, toScalar } from '../setting.js'
import { type MeanSettings, type Pair, pairTokens, type ReferencedResponse, rowMean } from './pairs.js'
import { pairLogProbs, pairLogRatios, type SequenceSettings } from './sequences.js'

/** Numbers to watch a preference loss by; each is a mean over pairs, and none has a use as a loss. */
export interface PreferenceMetrics {
  /** β·log π/π_ref, whatever divergence the loss has. */
  readonly chosenReward: Scalar
  readonly rejectedReward: Scalar
  /** The share of pairs whose chosen response has the greater reward; a tie is none. */
  readonly accuracy: Scalar
  /** How far the reward of the chosen is above that of the rejected. */
  readonly margin: Scalar
  /** log π of the response, in nats. */
  readonly chosenLogProb: Scalar
  readonly rejectedLogProb: Scalar
}

export interface PreferenceMetricsConfig extends SequenceSettings, MeanSettings {
  readonly beta: Setting
}

export const preferenceMetrics =
  ({ beta, ...settings }: PreferenceMetricsConfig) =>
  (batch: Pair<ReferencedResponse>): PreferenceMetrics => {
    const mean: (x: Tensor<'batch'>) => Scalar = rowMean(settings)(pairTokens(batch))
    const [ratios, logProbs] = [pairLogRatios(settings)(batch), pairLogProbs(settings)(batch)]
    const [chosen, rejected] = [mul(toScalar(beta), ratios.chosen), mul(toScalar(beta), ratios.rejected)]
    return {
      chosenReward: mean(chosen),
      rejectedReward: mean(rejected),
      accuracy: pipe(greater(chosen, rejected), toF32, mean),
      margin: mean(sub(chosen, rejected)),
      chosenLogProb: mean(logProbs.chosen),
      rejectedLogProb: mean(logProbs.rejected),
    }
  }
