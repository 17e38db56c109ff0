import { product } from '../size.js'
import type { AnyTensor, Axis } from '../tensor.js'
import { broadcastTo } from './movement.js'
import { binary } from './pointwise.js'
import { constant, extent, iota } from './sources.js'

/** How many elements lie before each one, in row-major order of the axes: an i32. */
export const ordinals = (axes: readonly Axis[]): AnyTensor => {
  const [first = constant(0, 'i32'), ...others] = axes.map(({ name, size }, i) => {
    const inner = axes.slice(i + 1)
    return inner.length === 0 ? iota(name, size) : binary('mul')(iota(name, size), extent(product(inner.map((axis) => axis.size))))
  })
  return [first, ...others].map(broadcastTo(axes)).reduce(binary('add'))
}
