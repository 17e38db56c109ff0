import * as build from './build/index.js'
import type { Id } from './dtype.js'
import { type Size, toSize } from './size.js'
import type { Tensor } from './tensor.js'

/** 0, 1, 2, … along a new axis, the same beside every element of x, and of its type: what ids and lengths are compared with. */
export const placesBeside = ((axis: string, size: Size | number) => (x: Tensor<string, Id>) => {
  const places = build.iota(axis, size)
  return build.broadcastTo([...x.axes, { name: axis, size: toSize(size) }])(x.dtype === 'u32' ? build.map('toU32', places) : places)
}) as unknown as <N extends string>(axis: N, size: Size | number) => <A extends string, I extends Id>(x: Tensor<A, I>) => Tensor<A | N, I>
