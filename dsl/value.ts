import { type AnySpec, isSpec } from './spec.js'
import type { AnyTensor } from './tensor.js'
import { type Leaf, leavesLike } from './tree.js'

/** Numbers of the host. A bool is 0 or 1. */
export type HostData = Float64Array | Float32Array | Int32Array | Uint32Array | readonly number[]

/** A tensor's values: row-major in the order in which the spec declares its axes. */
export interface Value {
  readonly sizes: readonly number[]
  readonly data: HostData
}

/** What a program made: a value that says which axes it has. */
export interface HostTensor extends Value {
  readonly axes: readonly string[]
}

/** What a leaf of a program's inputs may be given: a number for a scalar, values of the host, or what a device holds (sizes alone are seen here). */
export type Given = number | Value | { readonly sizes: readonly number[] }

/** The tree of values that a tree of specs asks for. */
export type GivenFor<S> = S extends AnySpec ? Given : { readonly [K in keyof S]: GivenFor<S[K]> }

/** The tree of values that a tree of tensors gives. */
export type MadeBy<O> = O extends AnyTensor ? HostTensor : { readonly [K in keyof O]: MadeBy<O[K]> }

const isOtherView = (view: ArrayBufferView): boolean =>
  view instanceof DataView || view instanceof BigInt64Array || view instanceof BigUint64Array

const isHostData = (data: unknown): data is HostData =>
  Array.isArray(data) ? data.every((x) => typeof x === 'number') : ArrayBuffer.isView(data) && !isOtherView(data)

export const hasData = (given: Given): given is Value => typeof given === 'object' && 'data' in given && isHostData(given.data)

const isGiven = (tree: unknown): tree is Given =>
  typeof tree === 'number' || (typeof tree === 'object' && tree !== null && 'sizes' in tree && Array.isArray(tree.sizes))

/** The values that are given for what a program declares, by the paths of their leaves. */
export const givenValues = (
  declared: { readonly inputs: unknown; readonly state: unknown },
  inputs: unknown,
  state: unknown,
): readonly Leaf<Given>[] => [
  ...leavesLike(isSpec, isGiven)(declared.inputs, inputs, 'inputs'),
  ...leavesLike(isSpec, isGiven)(declared.state, state, 'state'),
]

/** A scalar's number as a value. */
export const asValue = (given: Given): Exclude<Given, number> => (typeof given === 'number' ? { sizes: [], data: [given] } : given)

/** How many elements a tensor of these sizes has. */
export const countOf = (sizes: readonly number[]): number => sizes.reduce((p, q) => p * q, 1)

type Nested = number | boolean | readonly Nested[]

const isNested = (values: Nested): values is readonly Nested[] => typeof values === 'object'

const sizesOf = (values: Nested): readonly number[] =>
  isNested(values) ? [values.length, ...(values[0] === undefined ? [] : sizesOf(values[0]))] : []

const flat = (values: Nested): readonly number[] => (isNested(values) ? values.flatMap(flat) : [Number(values)])

const isRegular = (values: Nested, [size, ...rest]: readonly number[]): boolean =>
  isNested(values) ? values.length === size && values.every((row) => isRegular(row, rest)) : size === undefined

/**
 * Nested arrays as a value: `nested([[1, 2], [3, 4]])` has sizes [2, 2]; `true` is 1. A ragged one is given one number more than its sizes
 * say, so that it is refused where it is bound even if its rows add up.
 */
export const nested = (values: Nested): Value => {
  const sizes = sizesOf(values)
  const data = flat(values)
  return { sizes, data: isRegular(values, sizes) || data.length !== countOf(sizes) ? data : [...data, NaN] }
}
