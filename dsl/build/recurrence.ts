import { isNum } from '../dtype.js'
import type { Direction } from '../node.js'
import { type AnyTensor, axesMissingFrom, axisNames, axisOf } from '../tensor.js'
import { literal, plus } from '../size.js'
import { both, checked, fault, nothing, resolve, sharedSizes } from './checked.js'
import { pad, slice } from './movement.js'
import { constant } from './sources.js'

/** yₜ = aₜ·yₜ₋₁ + xₜ along the axis, or from its end; `a` may lack axes of x, and a number is the same everywhere. */
export const linearRecurrence =
  (axis: string, direction: Direction = 'forward') =>
  (coefficient: AnyTensor | number, x: AnyTensor): AnyTensor => {
    const op = 'linearRecurrence'
    const a = typeof coefficient === 'number' ? constant(coefficient, x.dtype) : coefficient
    const { over, found } = resolve(op, x, [axis])
    const given = [a.dtype, x.dtype]
    const typed = isNum(x.dtype) && a.dtype === x.dtype ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'numbers of one type', given })
    const nested =
      axesMissingFrom(x, a).length === 0 ? nothing : fault({ tag: 'axesDoNotNest', op, left: axisNames(a), right: axisNames(x) })
    const { faults, needs } = both(found, typed, nested, sharedSizes(op, x, a))
    return checked(faults, needs, [a, x], x.dtype, x.axes, () => ({ tag: 'linearRecurrence', a, x, axis: over[0] ?? axis, direction }))
  }

/** x moved by one place along the axis: forward to the next place, backward to the one before; a 0 takes the place that is left. */
export const shifted =
  (axis: string, direction: Direction) =>
  (x: AnyTensor): AnyTensor => {
    const size = axisOf(x, axis)?.size
    if (size === undefined) return x
    const [before, from] = direction === 'forward' ? [1, 0] : [0, 1]
    // The longer axis comes first, so that it may have no element.
    const longer = pad(axis, { start: literal(before), step: 1, size: plus(size, 1) })(x)
    return slice(axis, { start: literal(from), step: 1, size })(longer)
  }
