import { pipe } from 'fp-ts/lib/function.js'
import { add, div, equal, exp, log, less, mul, neg, select, sub } from './algebra.js'
import { gather, max, sum } from './along.js'
import { cancelling } from './cancelling.js'
import type { Id } from './dtype.js'
import type { Tensor } from './tensor.js'

const greatestFloat = 3.4028234663852886e38

const isMinusInfinity = <A extends string>(x: Tensor<A>): Tensor<A, 'bool'> => less(x, -greatestFloat)

/** What is subtracted before the exponential: the maximum, or 0 where that is −∞. It cancels, so no gradient flows through it. */
const shiftOf =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const greatest = pipe(x, max(axis), cancelling)
    return select(isMinusInfinity(greatest), 0, greatest)
  }

/** x less the shift: at most 0, so that its exponential does not overflow and a sum of them is at least 1. */
const shifted =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> =>
    sub(x, pipe(x, shiftOf(axis)))

/** log Σ eˣ of numbers that are shifted already. */
const logSum =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    pipe(x, exp, sum(axis), log)

/**
 * log Σ eˣ over the axis, without overflow; −∞ of no elements and where every x is −∞, NaN where one is NaN or ∞.
 * Gradient: the softmax of x.
 */
export const logSumExp =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    add(pipe(x, shiftOf(axis)), pipe(x, shifted(axis), logSum(axis)))

/** p = eˣ / Σ eˣ over the axis: 0 at −∞; all of a row is NaN where every x is −∞, or one is NaN or ∞. Gradient: p·(ct − Σ p·ct). */
export const softmax =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> => {
    const weights = exp(pipe(x, shifted(axis)))
    return div(weights, pipe(weights, sum(axis)))
  }

/**
 * The softmax over the axis of what the mask keeps; 0 elsewhere, and all of a row is 0 where it keeps nothing, or nothing but −∞. A NaN that
 * it leaves out has no effect. x has all the axes of the mask. Gradient: that of the softmax where the mask keeps x, 0 elsewhere.
 */
export const maskedSoftmax =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, axis: N) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<A | M | N> => {
    const weights = exp(pipe(select(mask, x, -Infinity), shifted(axis)))
    const total = pipe(weights, sum(axis))
    return div(weights, select(equal(total, 0), 1, total))
  }

/**
 * x − log Σ eˣ over the axis, as (x − max) − log Σ e^(x − max), so that logits of any size cost no digits: −∞ at −∞; NaN where the softmax is.
 * Gradient: ct − p·Σ ct.
 */
export const logSoftmax =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> => {
    const below = pipe(x, shifted(axis))
    return sub(below, pipe(below, logSum(axis)))
  }

/**
 * log p(id) under softmax(logits) along `axis`, in nats, with the digits of `logSoftmax`, of which only the chosen element is ever made. An id
 * outside gives NaN. Gradient: into the logits, 1 at the chosen one less p at each.
 */
export const tokenLogProbs =
  <N extends string>(axis: N) =>
  <B extends string, I extends Id>(ids: Tensor<B, I>) =>
  <A extends string>(logits: Tensor<A | N>): Tensor<Exclude<A, N> | B> => {
    const below = pipe(logits, shifted(axis))
    return sub(pipe(below, gather(axis)(ids)), pipe(below, logSum(axis)))
  }

/**
 * −Σ p·log p over the axis, in nats, of p = softmax(logits): from 0 to the logarithm of how many there are. What has the logit −∞ adds
 * nothing, 0·−∞ = 0, to value and gradient; NaN where the softmax is; 0 of no elements. Gradient: −p·(log p + the entropy).
 */
export const entropy =
  <N extends string>(axis: N) =>
  <A extends string>(logits: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const logProbs = pipe(logits, logSoftmax(axis))
    const surprise = select(isMinusInfinity(logProbs), 0, neg(logProbs))
    return pipe(mul(exp(logProbs), surprise), sum(axis))
  }
