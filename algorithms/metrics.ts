import { pipe } from 'fp-ts/lib/function.js'
import {
  and,
  countTrue,
  div,
  equal,
  exp,
  greater,
  less,
  maskedMax,
  maskedMin,
  maskedVariance,
  mul,
  neg,
  or,
  type Scalar,
  select,
  sub,
  type Tensor,
  toF32,
} from '../dsl/index.js'
import { aggregate, type Aggregation } from './aggregate.js'
import { type SurrogateBatch, surrogateTokens, type Tokens } from './batch.js'
import { logRatio, policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'
import { clippedGain, clippedSurrogate, type ClipRange, type RatioBounds } from './surrogate.js'

/** Numbers to watch a clipped loss by; each is a mean over response tokens, and none has a use as a loss. */
export interface ClipMetrics {
  /** The share of tokens whose gradient the clip cut off: those whose ratio left the range in the direction that the advantage wants. */
  readonly clipFraction: Scalar
  /** The part of it with A < 0, whose ratio fell below 1 − low: what was bad and is already rare enough. */
  readonly lowClipFraction: Scalar
  /** The part of it with A > 0, whose ratio rose above 1 + high. */
  readonly highClipFraction: Scalar
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
    const clipped = less(clippedGain(clip)(ratio, advantages), mul(ratio, advantages))
    return {
      clipFraction: share(clipped),
      lowClipFraction: share(and(clipped, less(advantages, 0))),
      highClipFraction: share(and(clipped, greater(advantages, 0))),
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

/** The least and the greatest π/π_old. */
export interface RatioExtremes {
  readonly least: Scalar
  readonly greatest: Scalar
}

/** The extremes of the ratio over response tokens, log r clamped to ± the limit where one is given; 1 of no tokens. Their mean is near 1 on policy; these show outliers. */
export const ratioExtremes =
  (logRatioLimit?: Setting) =>
  <A extends Tokens>(batch: SurrogateBatch<A>): RatioExtremes => {
    const { responseMask: mask, ...tokens } = surrogateTokens(batch)
    const x = logRatio(tokens, logRatioLimit)
    const ofNone = (extreme: Scalar): Scalar => select(equal(pipe(mask, countTrue('batch', 'time')), 0), 1, exp(extreme))
    return {
      least: ofNone(pipe(x, maskedMin(mask, 'batch', 'time'))),
      greatest: ofNone(pipe(x, maskedMax(mask, 'batch', 'time'))),
    }
  }

/**
 * How much of the spread of the returns a critic foresees, over response tokens.
 *
 *   1 − Var(R − V) / Var(R)
 *
 * 1 if it is exact, 0 if it knows the mean alone, less if it is worse than that; 0 where all returns are equal, or where there are none.
 */
export const explainedVariance =
  (mask: Tensor<Tokens, 'bool'>) =>
  (values: Tensor<Tokens>, returns: Tensor<Tokens>): Scalar => {
    const spread = maskedVariance(mask, 'batch', 'time', { ddof: 0 })
    const whole = pipe(returns, spread)
    const none = equal(whole, 0)
    return select(none, 0, sub(1, div(pipe(sub(returns, values), spread), select(none, 1, whole))))
  }

/**
 * How undecided the policy is: the mean of −Σ π·log π over response tokens, in nats, from the entropy of each (`entropy`).
 * Gradient: into the entropies. `entropyBonus` is a loss that keeps it up.
 */
export const meanEntropy =
  (aggregation: Aggregation) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (entropies: Tensor<Tokens>): Scalar =>
    pipe(entropies, aggregate(aggregation)(mask))
