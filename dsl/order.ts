import { pipe } from 'fp-ts/lib/function.js'
import { argSort, gather, slice } from './along.js'
import * as build from './build/index.js'
import type { Num } from './dtype.js'
import type { Order } from './node.js'
import type { Size } from './size.js'
import type { AnyTensor, Tensor } from './tensor.js'

/**
 * The elements along the axis from the least to the greatest, or from the greatest on; equal ones stay in their order, NaN is the greatest.
 * Gradient: each back to where its element came from.
 */
export const sort =
  <N extends string>(axis: N, order?: Order) =>
  <A extends string, D extends Num>(x: Tensor<A | N, D>): Tensor<A | N, D> =>
    pipe(x, gather(axis)(argSort(axis, order)(x)))

export interface TopK<A extends string, D extends Num> {
  readonly values: Tensor<A, D>
  /** Where each value lies along the axis of x. */
  readonly ids: Tensor<A, 'i32'>
}

/**
 * The k greatest elements along the axis, from the greatest on, and their places; of equal ones the first. NaN is the greatest. A k above
 * the axis's size is an error, where the program is built or when the size is bound. Gradient: into the elements that were taken.
 */
export const topK =
  <N extends string>(axis: N, k: number | Size) =>
  <A extends string, D extends Num>(x: Tensor<A | N, D>): TopK<A | N, D> => {
    const ids = pipe(x, argSort(axis, 'descending'), slice(axis, { to: k }))
    return { values: pipe(x, gather(axis)(ids)), ids }
  }

/**
 * How many elements of both axes together come before each one: 0 for the least, or for the greatest. Of equal ones the first in row-major
 * order comes first; NaN is the greatest. No gradient.
 */
export const ranks = ((outer: string, inner: string, order: Order) => (x: AnyTensor) => {
  const [all, pair] = ['rank', { outer, inner }]
  const places = build.argSort(all, order)(build.merge(all, pair)(x))
  const ranked = build.scatterSet(all, places)(places, build.ordinals(places.axes.filter(({ name }) => name === all)))
  return build.splitLike(all, pair, x)(ranked)
}) as unknown as <O extends string, I extends string>(
  outer: O,
  inner: I,
  order: Order,
) => <A extends string, D extends Num>(x: Tensor<A | O | I, D>) => Tensor<A | O | I, 'i32'>
