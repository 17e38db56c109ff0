import * as build from './build/index.js'
import type { DType, Id, Num } from './dtype.js'
import { type Size, toSize } from './size.js'
import { type AnyTensor, axisOf, type Axis, type Scalar, type Tensor } from './tensor.js'

/** Whatever takes an axis or a setting: data-last and curried, to stand in a `pipe`. */

type Names<N extends string> = readonly [N, ...(readonly N[])]

type Over = <N extends string>(...axes: Names<N>) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N>, D>

/** Σ over the axes. */
export const sum = build.sum as unknown as Over

/** The greatest element over the axes. A tie splits the gradient evenly; no elements give −∞. */
export const max = build.max as unknown as Over

/** Σ over the shared axes of x·y. Any other axis that both have is walked together, as a batch: rename one if the two are different things. */
export const contract = build.contract as unknown as <N extends string>(
  ...axes: Names<N>
) => <A extends string, B extends string>(x: Tensor<A | N>, y: Tensor<B | N>) => Tensor<Exclude<A | B, N>>

/** x at the place `ids` along the axis: the axis goes, those of ids come. An id outside gives NaN (0 for integers). */
export const gather = build.gather as unknown as <N extends string>(
  axis: N,
) => <B extends string, I extends Id>(
  ids: Tensor<B, I>,
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N> | B, D>

/** Σ of x over all axes of `ids`, each element at the place that ids says along a new axis of the given size. An id outside adds nowhere. */
export const scatterAdd = ((axis: string, ids: AnyTensor, { size }: { readonly size: Size | number }) =>
  build.scatterAdd(
    axis,
    ids,
    toSize(size),
    ids.axes.map(({ name }) => name),
  )) as unknown as <N extends string, B extends string, I extends Id>(
  axis: N,
  ids: Tensor<B, I>,
  options: { readonly size: Size | number },
) => <A extends string, D extends Num>(x: Tensor<A | B, D>) => Tensor<Exclude<A, B> | N, D>

export interface Bounds {
  /** The first place, 0 if not said; negative counts from the end. */
  readonly from?: number | Size
  /** The place after the last, the axis's size if not said; negative counts from the end. */
  readonly to?: number | Size
  readonly step?: number
}

/** The elements from `from` up to, not including, `to`, by `step`. */
export const slice = ((axis: string, { from = 0, to, step = 1 }: Bounds) => build.sliceBetween(axis, from, to, step)) as unknown as <
  N extends string,
>(
  axis: N,
  bounds: Bounds,
) => <A extends string, D extends DType>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/** x with `before` zeros before it and `after` behind it. */
export const pad = ((axis: string, { before = 0, after = 0 }: { readonly before?: number | Size; readonly after?: number | Size }) =>
  build.padAround(axis, before, after)) as unknown as <N extends string>(
  axis: N,
  around: { readonly before?: number | Size; readonly after?: number | Size },
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/** x with axes called by other names. The new name must be free. */
export const rename = build.rename as unknown as <const M extends Readonly<Record<string, string>>>(
  names: M,
) => <A extends string, D extends DType>(x: Tensor<A | (keyof M & string), D>) => Tensor<Exclude<A, keyof M> | M[keyof M], D>

/** x repeated along the axes of `like` that it lacks, in the order of `like`. */
export const broadcastLike = ((like: AnyTensor) => build.broadcastTo(like.axes)) as unknown as <A extends string>(
  like: Tensor<A, DType> | Tensor<A> | Tensor<A, 'i32'> | Tensor<A, 'bool'>,
) => <B extends A, D extends DType>(x: Tensor<B, D>) => Tensor<A, D>

/** x repeated along new axes of the given sizes. */
export const broadcast = ((sizes: Readonly<Record<string, Size | number>>) => (x: AnyTensor) =>
  build.broadcastTo([...Object.entries(sizes).map(([name, size]): Axis => ({ name, size: toSize(size) })), ...x.axes])(x)) as unknown as <
  N extends string,
>(
  sizes: Readonly<Record<N, Size | number>>,
) => <A extends string, D extends DType>(x: Tensor<A, D>) => Tensor<A | N, D>

/** 0, 1, 2, … along the axis. */
export const iota = build.iota as <N extends string>(axis: N, size: Size | number) => Tensor<N, 'i32'>

/** A size as an i32 scalar, to be computed with. */
export const extent = build.extent as (size: Size | number) => Scalar<'i32'>

/** The size of one of x's axes: to be given where a size is asked for. */
export const sizeAlong =
  (axis: string) =>
  (x: AnyTensor): Size =>
    axisOf(x, axis)?.size ?? toSize(0)
