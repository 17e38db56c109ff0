import { pipe } from 'fp-ts/lib/function.js'
import { div, maximum, mul, sameAxesAs, scalar, sub } from './algebra.js'
import { broadcastLike, gather, scatterAdd } from './along.js'
import type { Id } from './dtype.js'
import { where } from './masks.js'
import { product, type Size } from './size.js'
import type { Tensor } from './tensor.js'
import { deviation, type VarianceSettings } from './variance.js'

/**
 * Statistics of groups: elements with one id are a group, in any order and number. Every element gets that of its group, so that it meets
 * x again: `sub(x, groupMean(ids)(x))`. For one number a group, `scatterAdd` sums along an axis of groups.
 *
 * Ids may have fewer axes than x: with a reward per row and turn and an id per row, a group has all turns of its rows. An id outside the
 * groups gives NaN; one given by the host is refused where it is bound. Gradient: into x, through the sums.
 */

export interface Grouping<M extends string = never> {
  /** The elements that count; all of them if not said. Elsewhere the result is 0, and what x is there has no effect. */
  readonly mask?: Tensor<M, 'bool'>
  /** One more than the greatest id there may be; as many as there are ids if not said. */
  readonly groups?: number | Size
}

const counted =
  <M extends string>(mask: Tensor<M, 'bool'> | undefined) =>
  <A extends string>(x: Tensor<A | M>): Tensor<A | M> =>
    mask === undefined ? x : pipe(x, where(mask))

/** Σ of x over the group. */
export const groupSum =
  <B extends string, I extends Id, M extends string = never>(
    ids: Tensor<B, I>,
    { mask, groups = product(ids.axes.map(({ size }) => size)) }: Grouping<M> = {},
  ) =>
  <A extends string>(x: Tensor<A | B | M>): Tensor<A | B | M> => {
    const everywhere = pipe(ids, broadcastLike(x))
    const sums = pipe(x, counted(mask), scatterAdd('group', everywhere, { size: groups }))
    return pipe(sums, gather('group')(everywhere), sameAxesAs(x), counted(mask))
  }

/** How many elements of x the group has, as f32. No gradient. */
export const groupCount =
  <B extends string, I extends Id, M extends string = never>(ids: Tensor<B, I>, grouping: Grouping<M> = {}) =>
  <A extends string>(x: Tensor<A | B | M>): Tensor<A | B | M> =>
    pipe(scalar(1), broadcastLike(x), groupSum(ids, grouping))

/** Σ/n of x over the n elements of the group. */
export const groupMean =
  <B extends string, I extends Id, M extends string = never>(ids: Tensor<B, I>, grouping: Grouping<M> = {}) =>
  <A extends string>(x: Tensor<A | B | M>): Tensor<A | B | M> =>
    div(pipe(x, groupSum(ids, grouping)), maximum(pipe(x, groupCount(ids, grouping)), 1))

/** Σ (x − mean)² / max(n − ddof, 1) over the group, so 0 in a group of one; in a second pass after the mean, so that equal numbers have 0 up to rounding. */
export const groupVariance =
  <B extends string, I extends Id, M extends string = never>(ids: Tensor<B, I>, { ddof, ...grouping }: Grouping<M> & VarianceSettings) =>
  <A extends string>(x: Tensor<A | B | M>): Tensor<A | B | M> => {
    const centred = pipe(sub(x, pipe(x, groupMean(ids, grouping))), counted(grouping.mask))
    return div(pipe(mul(centred, centred), groupSum(ids, grouping)), maximum(sub(pipe(x, groupCount(ids, grouping)), ddof), 1))
  }

/** √groupVariance. Gradient: 0 where it is 0, as that of `std`. */
export const groupStd =
  <B extends string, I extends Id, M extends string = never>(ids: Tensor<B, I>, settings: Grouping<M> & VarianceSettings) =>
  <A extends string>(x: Tensor<A | B | M>): Tensor<A | B | M> =>
    deviation(pipe(x, groupVariance(ids, settings)))
