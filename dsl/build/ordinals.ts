import { product } from '../size.js'
import type { AnyTensor, Axis } from '../tensor.js'
import { broadcastTo } from './movement.js'
import { binary } from './pointwise.js'
import { constant, extent, iota } from './sources.js'

/** How many elements lie before each one, in row-major order of the axes: an i32. */
export const ordinals = (axes: readonly Axis[]): AnyTensor => {
  const spread = broadcastTo(axes)
  return axes
    .map(({ name, size }, i) => binary('mul')(iota(name, size), extent(product(axes.slice(i + 1).map((inner) => inner.size)))))
    .map(spread)
    .reduce(binary('add'), spread(constant(0, 'i32')))
}
