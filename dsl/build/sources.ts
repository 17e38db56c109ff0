import type { DType } from '../dtype.js'
import { type Size, toSize } from '../size.js'
import { type AnyTensor, type Axis, tensor } from '../tensor.js'
import { broadcastTo } from './movement.js'

export const input = (path: string, dtype: DType, axes: readonly Axis[]): AnyTensor => tensor(dtype, axes, { tag: 'input', path })

export const constant = (value: number, dtype: DType = 'f32'): AnyTensor => tensor(dtype, [], { tag: 'constant', value })

/** A size as an i32 scalar. */
export const extent = (size: Size | number): AnyTensor => tensor('i32', [], { tag: 'extent', size: toSize(size) })

export const iota = (axis: string, size: Size | number): AnyTensor => tensor('i32', [{ name: axis, size: toSize(size) }], { tag: 'iota' })

/** One number at every index of another tensor. */
export const filled = (value: number, like: AnyTensor): AnyTensor => broadcastTo(like.axes)(constant(value, like.dtype))
