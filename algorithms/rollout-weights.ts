import { pipe } from 'fp-ts/lib/function.js'
import { broadcastLike, clip, div, equal, exp, maximum, min, select, type Scalar, stopGradient, sum, type Tensor } from '../dsl/index.js'
import { acrossRows, type Aggregation, rowsOf } from './aggregate.js'
import { responseOnly, type Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/** Whether a weight is of one token, or of the whole response and the same at each of its tokens. */
export type Level = 'token' | 'sequence'

/** Beyond e²⁰ nothing is told apart; the exponential of what is greater could overflow. */
const limit = 20

type Mask = Tensor<Tokens, 'bool'>

const logWeights: { readonly [L in Level]: (x: Tensor<Tokens>) => Tensor<Tokens> } = {
  token: (x) => x,
  sequence: (x) => pipe(x, sum('time'), broadcastLike(x)),
}

/**
 * How much likelier than the engine that sampled it the policy finds each token or response: exp(clip(log π − log μ, ±20)), of a response
 * the sum over its tokens. `logRatio` is log π − log μ in nats; 0 outside the mask. No gradient: it is data.
 */
export const importanceWeights =
  (level: Level) =>
  (logRatio: Tensor<Tokens>, mask: Mask): Tensor<Tokens> => {
    const entered = pipe(stopGradient(logRatio), responseOnly(mask))
    return pipe(exp(pipe(logWeights[level](entered), clip(-limit, limit))), responseOnly(mask))
  }

export interface RolloutWeightConfig {
  readonly level: Level
  /** The greatest weight; none if not said. */
  readonly most?: Setting
  /** The least weight; none if not said. */
  readonly least?: Setting
  /** What becomes of a weight beyond these: it is set to the bound, or to 0, which leaves the token out. Truncated if not said. */
  readonly beyond?: 'truncate' | 'drop'
  /** Divide by this mean of the weights, so that it is 1: `tokenMean`, or `sequenceMeanTokenMean` at `sequence` level. */
  readonly normalise?: Aggregation
}

/** The mean of truncated weights, by which they are divided. */
export const weightMean = ({ within, across }: Aggregation, mask: Mask, weights: Tensor<Tokens>): Scalar =>
  pipe(weights, rowsOf(within)(mask), acrossRows(across)(mask))

/** A weight, given what it is and what the bound makes of it. */
const atBound = {
  truncate: (_weight, bounded) => bounded,
  drop: (weight, bounded) => select(equal(weight, bounded), weight, 0),
} as const satisfies Readonly<Record<string, (weight: Tensor<Tokens>, bounded: Tensor<Tokens>) => Tensor<Tokens>>>

/**
 * Truncated importance weights, a surrogate's `rolloutWeights`: w within the bounds, so that what a rollout engine of slightly other numbers sampled
 * is weighed as the policy would have sampled it.
 *
 * No gradient: it is data. Source: truncated importance sampling, Ionides 2008; verl `compute_rollout_correction_weights`.
 */
export const rolloutWeights =
  ({ level, most, least, beyond = 'truncate', normalise }: RolloutWeightConfig) =>
  (logRatio: Tensor<Tokens>, mask: Mask): Tensor<Tokens> => {
    const whole = importanceWeights(level)(logRatio, mask)
    const below = most === undefined ? whole : atBound[beyond](whole, min(whole, toScalar(most)))
    const bounded = least === undefined ? below : atBound[beyond](below, maximum(below, toScalar(least)))
    const weights = pipe(bounded, responseOnly(mask))
    return normalise === undefined ? weights : div(weights, weightMean(normalise, mask, weights))
  }
