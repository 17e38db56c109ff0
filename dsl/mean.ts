import { pipe } from 'fp-ts/lib/function.js'
import { mul, recip, select, toF32 } from './algebra.js'
import { extent, sizeAlong, sum } from './along.js'
import { product } from './size.js'
import type { Scalar, Tensor } from './tensor.js'

type Names<N extends string> = readonly [N, ...(readonly N[])]

/** How many elements lie along the axes, as f32. */
export const countAlong =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Scalar =>
    toF32(extent(product(axes.map((axis) => sizeAlong(axis)(x)))))

/** The mean over the axes; NaN where there are no elements. */
export const mean =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    mul(pipe(x, sum(...axes)), recip(pipe(x, countAlong(...axes))))

/** x where the mask is true, 0 elsewhere. It selects: a NaN or ±∞ outside the mask reaches neither value nor gradient. */
export const where =
  <B extends string>(mask: Tensor<B, 'bool'>) =>
  <A extends B>(x: Tensor<A>): Tensor<A | B> =>
    select(mask, x, 0)
