import { pipe } from 'fp-ts/lib/function.js'
import { mul, recip, toF32 } from './algebra.js'
import { extent, sizeAlong, sum } from './along.js'
import type { Names } from './names.js'
import { product } from './size.js'
import type { Scalar, Tensor } from './tensor.js'

/** How many elements lie along the axes: the product of their sizes, as f32. It passes no gradient. */
export const countAlong =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Scalar =>
    toF32(extent(product(axes.map((axis) => sizeAlong(axis)(x)))))

/** Σ/n over the axes; NaN where there are no elements. Gradient: 1/n into each. Of some elements alone it is `maskedMean`. */
export const mean =
  <N extends string>(...axes: Names<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    mul(pipe(x, sum(...axes)), recip(pipe(x, countAlong(...axes))))
