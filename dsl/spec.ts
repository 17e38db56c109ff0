import type { DType } from './dtype.js'
import { literal, type Size, sizeOf } from './size.js'
import type { Axis, Tensor } from './tensor.js'

/** What a program is given: a tensor's type and axes, in the order in which host data lies. */
export interface AnySpec {
  readonly spec: 'tensor'
  readonly dtype: DType
  readonly axes: readonly Axis[]
}

/** A spec that knows the names of its axes. */
export interface Spec<in out A extends string, in out D extends DType> extends AnySpec {
  readonly dtype: D
  /** Never there: it carries the tensor's type. */
  readonly declares?: Tensor<A, D>
}

/** A tree of specs: records and arrays, nested as the user likes. */
export type SpecTree = AnySpec | { readonly [key: string]: SpecTree } | readonly SpecTree[]

/** A tree of specs, inferred as I; what is no spec meets a sentence. */
export type Declared<I> = I extends AnySpec
  ? I
  : I extends object
    ? { readonly [K in keyof I]: Declared<I[K]> }
    : 'an input is declared as f32(…), i32(…), u32(…) or bool(…) with the names of its axes, or by a record or array of these'

/** The tree of tensors that a tree of specs declares. */
export type TensorsOf<S> = S extends { readonly spec: 'tensor'; readonly declares?: infer T }
  ? NonNullable<T>
  : { readonly [K in keyof S]: TensorsOf<S[K]> }

export interface Declare<D extends DType> {
  /** A scalar. */
  (): Spec<never, D>
  /** Open sizes: each axis has the size that the data has when the program runs. */
  <A extends string>(...axes: readonly [A, ...(readonly A[])]): Spec<A, D>
  /** Sizes: a number fixes one, `sizeOf` names one that is bound elsewhere. */
  <A extends string>(axes: Readonly<Record<A, number | Size>>): Spec<A, D>
}

const declare =
  (dtype: DType) =>
  (...given: readonly (string | Readonly<Record<string, number | Size>>)[]): AnySpec => ({
    spec: 'tensor',
    dtype,
    axes: given.flatMap((axes): readonly Axis[] =>
      typeof axes === 'string'
        ? [{ name: axes, size: sizeOf(axes) }]
        : Object.entries(axes).map(([name, size]) => ({ name, size: typeof size === 'number' ? literal(size) : size })),
    ),
  })

export const f32 = declare('f32') as unknown as Declare<'f32'>
export const i32 = declare('i32') as unknown as Declare<'i32'>
export const u32 = declare('u32') as unknown as Declare<'u32'>
export const bool = declare('bool') as unknown as Declare<'bool'>

export const isSpec = (tree: unknown): tree is AnySpec =>
  typeof tree === 'object' && tree !== null && 'spec' in tree && tree.spec === 'tensor'
