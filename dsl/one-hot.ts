import { pipe } from 'fp-ts/lib/function.js'
import { equal, toF32 } from './algebra.js'
import type { Id } from './dtype.js'
import { placesBeside } from './places.js'
import type { Size } from './size.js'
import type { Tensor } from './tensor.js'

/** 1 at the place along a new axis that each id names, 0 elsewhere; 0 everywhere for an id outside. f32, no gradient. */
export const oneHot =
  <N extends string>(axis: N, { size }: { readonly size: Size | number }) =>
  <A extends string, I extends Id>(ids: Tensor<A, I>): Tensor<A | N> =>
    toF32(equal(pipe(ids, placesBeside(axis, size)), ids))
