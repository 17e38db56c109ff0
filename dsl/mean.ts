import { pipe } from 'fp-ts/lib/function.js'
import { mul, recip, select, toF32 } from './algebra.js'
import { extent, sizeAlong, sum } from './along.js'
import { product } from './size.js'
import type { Scalar, Tensor } from './tensor.js'

type Names<N extends string> = readonly [N, ...(readonly N[])]

/** How many elements lie along the axes: the product of their sizes, as f32. It passes no gradient. */
export const countAlong =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Scalar =>
    toF32(extent(product(axes.map((axis) => sizeAlong(axis)(x)))))

/** Σ/n over the axes; NaN where there are no elements. Gradient: 1/n into each. A mean over some elements alone is `where`, `sum` and a count. */
export const mean =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    mul(pipe(x, sum(...axes)), recip(pipe(x, countAlong(...axes))))

/**
 * x where the mask is true, 0 elsewhere. It selects: a NaN or ±∞ outside the mask reaches neither value nor gradient, if it stands before
 * what would make one. x has all the axes of the mask.
 */
export const where =
  <B extends string>(mask: Tensor<B, 'bool'>) =>
  <A extends B>(x: Tensor<A>): Tensor<A | B> =>
    select(mask, x, 0)
