import { greater, less, select } from './algebra.js'
import type { Scalar, Tensor } from './tensor.js'

type Bound = number | Scalar

/** x within [low, high]. The gradient passes inside and at both bounds; NaN stays NaN. */
export const clip =
  (low: Bound, high: Bound) =>
  <A extends string>(x: Tensor<A>): Tensor<A> =>
    select(less(x, low), low, select(greater(x, high), high, x))
