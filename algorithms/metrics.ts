import { pipe } from 'fp-ts/lib/function.js'
import { and, less, mul, neg, or, type Scalar, type Tensor, toF32 } from '../dsl/index.js'
import { aggregate, type Aggregation } from './aggregate.js'
import { type SurrogateBatch, surrogateTokens, type Tokens } from './batch.js'
import { logRatio, policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'
import { clippedGain, clippedSurrogate, type ClipRange, type RatioBounds } from './surrogate.js'

/** Numbers to watch a clipped loss by; each is a mean over response tokens, and none has a use as a loss. */
export interface ClipMetrics {
  /** The share of tokens whose gradient the clip cut off: those whose ratio left the range in the direction that the advantage wants. */
  readonly clipFraction: Scalar
  /** The share whose gradient the dual clip cut off; 0 without one. */
  readonly dualClipFraction: Scalar
  /** k1 of KL(π_old‖π), nats: mean of log π_old − log π, the log-ratio clamped as in the loss. */
  readonly oldKl: Scalar
}

export interface ClipMetricsConfig {
  readonly clip: ClipRange
  readonly dualClip?: Setting
  readonly logRatioLimit?: Setting
  /** How the means are taken: `tokenMean`, or one with verl's ε in the divisor. */
  readonly aggregation: Aggregation
}

export const clipMetrics =
  ({ clip, dualClip, logRatioLimit, aggregation }: ClipMetricsConfig) =>
  <A extends Tokens>(batch: SurrogateBatch<A>): ClipMetrics => {
    const tokens = surrogateTokens(batch)
    const { advantages } = tokens
    const ratio = policyRatio(tokens, logRatioLimit)
    const mean = aggregate(aggregation)(tokens.responseMask)
    const share = (condition: Tensor<Tokens, 'bool'>): Scalar => pipe(condition, toF32, mean)
    const cut = (c: Setting): Tensor<Tokens, 'bool'> =>
      and(less(clippedSurrogate(clip)(ratio, advantages), mul(toScalar(c), advantages)), less(advantages, 0))
    return {
      clipFraction: share(less(clippedGain(clip)(ratio, advantages), mul(ratio, advantages))),
      dualClipFraction: dualClip === undefined ? toScalar(0) : share(cut(dualClip)),
      oldKl: pipe(logRatio(tokens, logRatioLimit), neg, mean),
    }
  }

export interface WeightMetricsConfig {
  readonly bounds: RatioBounds
  readonly logRatioLimit?: Setting
  readonly aggregation: Aggregation
}

/** As `clipMetrics`, for a loss that clips the weight: the share of tokens whose ratio lies outside the bounds, and the KL to the old policy. */
export const weightMetrics =
  ({ bounds: { least, most }, logRatioLimit, aggregation }: WeightMetricsConfig) =>
  <A extends Tokens>(batch: SurrogateBatch<A>): Pick<ClipMetrics, 'clipFraction' | 'oldKl'> => {
    const tokens = surrogateTokens(batch)
    const ratio = policyRatio(tokens, logRatioLimit)
    const mean = aggregate(aggregation)(tokens.responseMask)
    const above = less(toScalar(most), ratio)
    const outside = least === undefined ? above : or(above, less(ratio, toScalar(least)))
    return { clipFraction: pipe(outside, toF32, mean), oldKl: pipe(logRatio(tokens, logRatioLimit), neg, mean) }
  }
