import { literal, quotient } from '../size.js'
import { type AnyTensor, axisOf, tensor } from '../tensor.js'
import { both, checked, divides, resolve } from './checked.js'

/** The first and the second half of x along `axis`, whose size must be even. */
export const halves =
  (op: string, axis: string) =>
  (x: AnyTensor): readonly [AnyTensor, AnyTensor] => {
    const { over, found } = resolve(op, x, [axis])
    const own = over[0] ?? axis
    const whole = axisOf(x, own)?.size ?? literal(0)
    const half = quotient(whole, 2)
    const axes = x.axes.map((a) => (a.name === own ? { name: own, size: half } : a))
    const { faults, needs } = both(found, divides(op, own, whole, 2))
    const first = checked(faults, needs, [x], x.dtype, axes, () => ({ tag: 'slice', x, axis: own, start: literal(0), step: 1 }))
    return [first, tensor(x.dtype, axes, { tag: 'slice', x, axis: own, start: half, step: 1 })]
  }
