import { pipe } from 'fp-ts/lib/function.js'
import { add, div, exp, log, less, select, stopGradient, sub } from './algebra.js'
import { gather, max, sum } from './along.js'
import type { Id } from './dtype.js'
import type { Tensor } from './tensor.js'

const greatestFloat = 3.4028234663852886e38

/** What is subtracted before the exponential: the maximum, or 0 where that is −∞. It cancels, so no gradient flows through it. */
const shiftOf =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const greatest = pipe(x, max(axis), stopGradient)
    return select(less(greatest, -greatestFloat), 0, greatest)
  }

/**
 * log Σ eˣ over the axis, without overflow; −∞ of no elements and where every x is −∞, NaN where one is NaN or ∞.
 * Gradient: the softmax of x.
 */
export const logSumExp =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const shift = pipe(x, shiftOf(axis))
    return add(shift, pipe(sub(x, shift), exp, sum(axis), log))
  }

/** p = eˣ / Σ eˣ over the axis: 0 at −∞; all of a row is NaN where every x is −∞, or one is NaN or ∞. Gradient: p·(ct − Σ p·ct). */
export const softmax =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> => {
    const weights = exp(sub(x, pipe(x, shiftOf(axis))))
    return div(weights, pipe(weights, sum(axis)))
  }

/** x − log Σ eˣ over the axis: −∞ at −∞; NaN where the softmax is. Gradient: ct − p·Σ ct. */
export const logSoftmax =
  <N extends string>(axis: N) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> =>
    sub(x, pipe(x, logSumExp(axis)))

/**
 * log p(id) under softmax(logits) along `axis`, in nats: the chosen logit less log Σ eˣ, so that no log-softmax is ever written out. An id
 * outside gives NaN. Gradient: into the logits, 1 at the chosen one less p at each.
 */
export const tokenLogProbs =
  <N extends string>(axis: N) =>
  <B extends string, I extends Id>(ids: Tensor<B, I>) =>
  <A extends string>(logits: Tensor<A | N>): Tensor<Exclude<A, N> | B> =>
    sub(pipe(logits, gather(axis)(ids)), pipe(logits, logSumExp(axis)))
