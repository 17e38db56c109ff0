import { stored } from '../../compiler/scalar.js'
import type { DType, HostData } from '../../dsl/index.js'

/** How elements lie on the device: four bytes each, a bool as a u32 of 0 or 1. */
export type Elements = Float32Array | Int32Array | Uint32Array

const toElements: { readonly [D in DType]: (data: HostData) => Elements } = {
  f32: (data) => (data instanceof Float32Array ? data : Float32Array.from(data)),
  i32: (data) => (data instanceof Int32Array ? data : Int32Array.from(data, stored.i32)),
  u32: (data) => (data instanceof Uint32Array ? data : Uint32Array.from(data, stored.u32)),
  bool: (data) => Uint32Array.from(data, stored.bool),
}

/** Numbers of the host as elements of a type, copied only where they must change. */
export const elementsOf = (dtype: DType, data: HostData): Elements => toElements[dtype](data)

const overBytes: { readonly [D in DType]: (bytes: ArrayBuffer) => Elements } = {
  f32: (bytes) => new Float32Array(bytes),
  i32: (bytes) => new Int32Array(bytes),
  u32: (bytes) => new Uint32Array(bytes),
  bool: (bytes) => new Uint32Array(bytes),
}

/** A copy of some of the bytes, as elements of a type. */
export const copiedElements = (dtype: DType, bytes: ArrayBuffer, offset: number, length: number): Elements =>
  overBytes[dtype](bytes.slice(offset, offset + length))
