import { pipe } from 'fp-ts/lib/function.js'
import { add, clip, less, maximum, min, mul, select, stopGradient, sub, type Tensor } from '../dsl/index.js'
import { type Setting, toScalar } from './setting.js'

/** How far the ratio may go from 1 before its gradient ends: up to 1 + high where the advantage is positive, down to 1 − low where it is negative. */
export interface ClipRange {
  readonly low: Setting
  /** Greater than `low` it is DAPO's clip-higher (arXiv:2503.14476, eq. 10), which leaves unlikely tokens room to grow. */
  readonly high: Setting
}

/** clip(r, 1 − low, 1 + high)·A */
export const clippedGain =
  ({ low, high }: ClipRange) =>
  <A extends string, B extends A>(ratio: Tensor<A>, advantages: Tensor<B>): Tensor<A> =>
    mul(pipe(ratio, clip(sub(1, toScalar(low)), add(1, toScalar(high)))), advantages)

/**
 * min(r·A, clip(r, 1 − low, 1 + high)·A): what to maximise, per token. A pessimistic bound: it never rewards going further than the clip.
 *
 * Gradient: r·A into log π where the first term is the less, none where the second one is. At r = 1 both are equal, each takes half, and
 * the sum is all of it. No gradient where A = 0.
 * Source: Proximal Policy Optimization, arXiv:1707.06347, eq. 7.
 */
export const clippedSurrogate =
  (range: ClipRange) =>
  <A extends string, B extends A>(ratio: Tensor<A>, advantages: Tensor<B>): Tensor<A> =>
    min(mul(ratio, advantages), clippedGain(range)(ratio, advantages))

/**
 * Where A < 0, no less than c·A (c > 1): a token that became c times as likely, though it was bad, pulls no harder than that.
 *
 * Gradient: none where the bound holds.
 * Source: Mastering Complex Control in MOBA Games, arXiv:1912.09729, section on dual-clip PPO.
 */
export const dualClip =
  (c: Setting) =>
  <A extends string, B extends A>(surrogate: Tensor<A>, advantages: Tensor<B>): Tensor<A> =>
    select(less(advantages, 0), maximum(surrogate, mul(toScalar(c), advantages)), surrogate)

/** Bounds on the ratio itself, not offsets from 1. Without `least` there is no lower bound. */
export interface RatioBounds {
  readonly least?: Setting
  readonly most: Setting
}

/**
 * sg(clip(r, least, most))·A·log π: a clipped importance weight on the plain policy gradient, so that no token's gradient is ever cut off.
 *
 * Gradient: weight·A into log π, through the logarithm alone.
 * Source: MiniMax-M1, arXiv:2506.13585, eq. 4 and 5.
 */
export const weightedLogProb =
  ({ least, most }: RatioBounds) =>
  <A extends string, B extends A>(ratio: Tensor<A>, advantages: Tensor<B>, logProbs: Tensor<A>): Tensor<A> => {
    const capped = min(ratio, toScalar(most))
    const weight = stopGradient(least === undefined ? capped : maximum(capped, toScalar(least)))
    return mul(mul(weight, advantages), logProbs)
  }
