import { pipe } from 'fp-ts/lib/function.js'
import { div, less, maximum, select, toF32 } from './algebra.js'
import { broadcastLike, max, minOver, sum } from './along.js'
import type { Id, Num } from './dtype.js'
import type { Names } from './names.js'
import { placesBeside } from './places.js'
import type { Size } from './size.js'
import type { Tensor } from './tensor.js'

/**
 * A mask is true at the elements that count. It selects, so that what it leaves out, even a NaN or ±∞, reaches neither value nor gradient.
 * x has all the axes of the mask, and others beside them. A mask depends on data, and one that keeps nothing is an ordinary case: each of
 * these says what it is then, and the gradient is 0.
 */

/**
 * x where the mask is true, 0 elsewhere. It guards what stands behind it: a NaN outside the mask is gone if `where` stands before what
 * would spread it.
 */
export const where =
  <M extends string>(mask: Tensor<M, 'bool'>) =>
  <A extends string, D extends Num>(x: Tensor<A | M, D>): Tensor<A | M, D> =>
    select(mask, x, 0)

/** Whether each place along a new axis lies before the length, an integer: a mask of rows that are padded behind; `flip` makes it one of those padded before. */
export const withinLength =
  <N extends string>(axis: N, { size }: { readonly size: Size | number }) =>
  <A extends string, I extends Id>(lengths: Tensor<A, I>): Tensor<A | N, 'bool'> =>
    less(pipe(lengths, placesBeside(axis, size)), lengths)

/** How many elements are true over the axes, as f32: exact to 2²⁴. */
export const countTrue =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(mask: Tensor<A | N, 'bool'>): Tensor<Exclude<A, N>> =>
    pipe(toF32(mask), sum(...axes))

/** Σ over the axes of what the mask keeps; 0 of nothing. Gradient: repeated where it is true. */
export const maskedSum =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...axes: Names<N>) =>
  <A extends string, D extends Num>(x: Tensor<A | M | N, D>): Tensor<Exclude<A | M, N>, D> =>
    pipe(x, where(mask), sum(...axes))

/** How many elements of x the mask keeps over the axes, as f32. */
export const keptAlong =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> =>
    pipe(mask, broadcastLike(x), countTrue(...axes))

/** Σ/n over the axes of the n elements that the mask keeps; 0 of nothing, where `mean` is NaN. Gradient: 1/n into each of them. */
export const maskedMean =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> =>
    div(pipe(x, maskedSum(mask, ...axes)), maximum(pipe(x, keptAlong(mask, ...axes)), 1))

/** The greatest element over the axes that the mask keeps; −∞ of nothing, NaN where one is. Gradient: into the greatest, split evenly at a tie; at −∞ what is left out takes part in it. */
export const maskedMax =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> =>
    pipe(select(mask, x, -Infinity), max(...axes))

/** The least element over the axes that the mask keeps; ∞ of nothing, NaN where one is. Gradient: as of the greatest. */
export const maskedMin =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> =>
    pipe(select(mask, x, Infinity), minOver(...axes))
