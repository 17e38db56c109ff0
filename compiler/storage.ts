import { type DType, type HostData, sizes } from '../dsl/index.js'
import type { Parameter } from './plan.js'
import { stored } from './scalar.js'

/** A tensor's elements as every device stores them: four bytes each, a bool as a u32 of 0 or 1. */
export type Elements = Float32Array | Int32Array | Uint32Array

const over: { readonly [D in DType]: (memory: ArrayBufferLike, address: number, count: number) => Elements } = {
  f32: (memory, address, count) => new Float32Array(memory, address, count),
  i32: (memory, address, count) => new Int32Array(memory, address, count),
  u32: (memory, address, count) => new Uint32Array(memory, address, count),
  bool: (memory, address, count) => new Uint32Array(memory, address, count),
}

/** The elements that lie somewhere in memory: no copy. */
export const elementsAt = (dtype: DType, memory: ArrayBufferLike, address: number, count: number): Elements =>
  over[dtype](memory, address, count)

/** So many elements, each of them 0. */
export const zeros = (dtype: DType, count: number): Elements => elementsAt(dtype, new ArrayBuffer(4 * count), 0, count)

const from: { readonly [D in DType]: (data: HostData) => Elements } = {
  f32: (data) => (data instanceof Float32Array ? data : new Float32Array(data)),
  i32: (data) => (data instanceof Int32Array ? data : new Int32Array(data)),
  u32: (data) => (data instanceof Uint32Array ? data : new Uint32Array(data)),
  bool: (data) => Uint32Array.from(data, stored.bool),
}

/** Numbers of the host as elements of a type, copied only where they must change. */
export const elementsOf = (dtype: DType, data: HostData): Elements => from[dtype](data)

/** The number that a parameter holds at the sizes at hand. */
export const parameterValue = (p: Parameter, bound: ReadonlyMap<string, number>): number =>
  p.tag === 'number' ? Math.fround(p.value) : (sizes.evaluateSize(p.size, bound) ?? NaN)

/** Write parameters from a place on, a word each: a size as an i32, a number as an f32. */
export const writeParameters = (words: DataView, at: number, parameters: readonly Parameter[], bound: ReadonlyMap<string, number>): void =>
  parameters.forEach((p, slot) => {
    const value = parameterValue(p, bound)
    if (p.tag === 'size') words.setInt32(at + 4 * slot, value, true)
    else words.setFloat32(at + 4 * slot, value, true)
  })
