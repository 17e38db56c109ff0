import { type DType, holds } from '../dtype.js'
import { type Size, toSize } from '../size.js'
import { type AnyTensor, type Axis, tensor } from '../tensor.js'
import { checked, fault, newAxes, nothing, sizeOfAxis } from './checked.js'
import { broadcastTo } from './movement.js'

export const input = (path: string, dtype: DType, axes: readonly Axis[]): AnyTensor => {
  const { faults, needs } = newAxes(`input '${path}'`, axes)
  return checked(faults, needs, [], dtype, axes, () => ({ tag: 'input', path }))
}

/** What a function is traced on: a tensor of its own with the type and the axes of another. */
export const parameter = (name: string, { dtype, axes }: Pick<AnyTensor, 'dtype' | 'axes'>): AnyTensor =>
  tensor(dtype, axes, { tag: 'input', path: name })

export const constant = (value: number, dtype: DType = 'f32'): AnyTensor => {
  const { faults, needs } = holds[dtype](value) ? nothing : fault({ tag: 'numberDoesNotFit', value, dtype })
  return checked(faults, needs, [], dtype, [], () => ({ tag: 'constant', value: dtype === 'f32' ? value : value + 0 }))
}

/** A size as an i32 scalar. */
export const extent = (size: Size | number): AnyTensor => {
  const { faults, needs } = sizeOfAxis('extent', 'size', toSize(size))
  return checked(faults, needs, [], 'i32', [], () => ({ tag: 'extent', size: toSize(size) }))
}

export const iota = (axis: string, size: Size | number): AnyTensor => {
  const axes = [{ name: axis, size: toSize(size) }]
  const { faults, needs } = newAxes('iota', axes)
  return checked(faults, needs, [], 'i32', axes, () => ({ tag: 'iota' }))
}

/** One number at every index of another tensor. */
export const filled = (value: number, like: AnyTensor): AnyTensor => broadcastTo(like.axes)(constant(value, like.dtype))
