import * as build from './build/index.js'
import type { DType, Id, Num } from './dtype.js'
import type { Names } from './names.js'
import type { Direction, Order } from './node.js'
import { type Size, toSize } from './size.js'
import { type AnyTensor, axisOf, type Axis, type Scalar, type Tensor } from './tensor.js'

/**
 * Whatever takes an axis or a setting: data-last and curried, to stand in a `pipe`. An axis that is not there, named twice or of a size
 * that does not fit is an error of the program, reported with the others where it is planned or run.
 */

type Over = <N extends string>(
  ...axes: Names<N>
) => <A extends string, D extends Num = 'f32'>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N>, D>

/** Σ over the axes; 0 of no elements. Gradient: repeated along them. */
export const sum = build.sum as unknown as Over

/**
 * The greatest element over the axes; −∞ of no elements (the least integer), NaN where one is. Gradient: into the greatest, split evenly at
 * a tie, none where there is a NaN.
 */
export const max = build.max as unknown as Over

/**
 * The least element over the axes (`min` is of two tensors); ∞ of no elements (the greatest integer), NaN where one is. Gradient: into the
 * least, split evenly at a tie, none where there is a NaN.
 */
export const minOver = build.min as unknown as Over

type Place = <N extends string>(axis: N) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N>, 'i32'>

/** The place of the greatest element along the axis: of the first of them, or of the first NaN; 0 where there is none. No gradient. */
export const argMax = build.argMax as unknown as Place

/** The place of the least element along the axis: of the first of them, or of the first NaN; 0 where there is none. No gradient. */
export const argMin = build.argMin as unknown as Place

/**
 * The places along the axis in the order of their elements, from the least on or from the greatest: the k-th is where the k-th lies.
 * Equal elements stay in their order, and NaN is the greatest. No gradient.
 */
export const argSort = build.argSort as unknown as <N extends string>(
  axis: N,
  order?: Order,
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<A | N, 'i32'>

/** Σ over the shared axes of x·y. Any other axis that both have is walked together, as a batch: rename one if the two are different things.
 * Gradient: into both, each a contraction with the other. */
export const contract = build.contract as unknown as <N extends string>(
  ...axes: Names<N>
) => <A extends string, B extends string>(x: Tensor<A | N>, y: Tensor<B | N>) => Tensor<Exclude<A | B, N>>

/**
 * yₜ = aₜ·yₜ₋₁ + xₜ along the axis, beginning with x; backward, yₜ = aₜ·yₜ₊₁ + xₜ from the end. With a discount as the coefficient it is
 * discounted returns (backward), with a decay a running average. `a` may lack axes of x, or be a number.
 * Gradient: into x the recurrence the other way, into `a` that times the result at the place before.
 */
export const linearRecurrence = build.linearRecurrence as unknown as <N extends string>(
  axis: N,
  direction?: Direction,
) => <A extends string, B extends A | N, D extends Num>(a: Tensor<B, D> | number, x: Tensor<A | N, D>) => Tensor<A | N, D>

/** The sums of the elements up to each place along the axis, it included; backward, of those from it on. Gradient: the sum the other way. */
export const cumulativeSum = ((axis: string, direction?: Direction) => (x: AnyTensor) =>
  build.linearRecurrence(axis, direction)(1, x)) as unknown as <N extends string>(
  axis: N,
  direction?: Direction,
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/**
 * x at the place `ids` along the axis: the axis goes, those of ids come, and axes that both have are walked together. An id outside gives NaN
 * (0 for integers); one given by the host is refused where it is bound. Gradient: into x, added up where ids repeat; ids have none.
 */
export const gather = build.gather as unknown as <N extends string>(
  axis: N,
) => <B extends string, I extends Id>(
  ids: Tensor<B, I>,
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N> | B, D>

/**
 * Σ of x over all axes of `ids`, each element at the place that ids says along a new axis of the given size; 0 where none is sent. An id
 * outside adds nowhere; one given by the host is refused where it is bound. Gradient: into x, gathered back from its place.
 */
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

/**
 * x with `values` in place of what lies at the places `ids` along the axis, as a cache takes the newest token. Axes that ids and x share are
 * walked together; the others of ids are gone through in order, and the last of those that name one place stays. `values` may lack axes,
 * or be a number. An id outside sets nothing; one given by the host is refused where it is bound.
 * Gradient: into x where nothing was set, into the values that stayed.
 */
export const scatterSet = build.scatterSet as unknown as <N extends string, B extends string, I extends Id>(
  axis: N,
  ids: Tensor<B, I>,
) => <A extends string, C extends Exclude<A, N> | B, D extends DType>(
  x: Tensor<A | N, D>,
  values: Tensor<C, D> | number,
) => Tensor<A | N, D>

export interface Bounds {
  /** The first place, 0 if not said; negative counts from the end. */
  readonly from?: number | Size
  /** The place after the last, the axis's size if not said; negative counts from the end. */
  readonly to?: number | Size
  readonly step?: number
}

/**
 * The elements from `from` up to, not including, `to`, by `step`. Bounds outside the axis are an error, where the program is built or, with
 * open sizes, where values are bound. Gradient: at the places taken, 0 elsewhere.
 */
export const slice = ((axis: string, { from = 0, to, step = 1 }: Bounds) => build.sliceBetween(axis, from, to, step)) as unknown as <
  N extends string,
>(
  axis: N,
  bounds: Bounds,
) => <A extends string, D extends DType>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/** x with `before` zeros before it and `after` behind it. Gradient: that of x's own places. */
export const pad = ((axis: string, { before = 0, after = 0 }: { readonly before?: number | Size; readonly after?: number | Size }) =>
  build.padAround(axis, before, after)) as unknown as <N extends string>(
  axis: N,
  around: { readonly before?: number | Size; readonly after?: number | Size },
) => <A extends string, D extends Num>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/** x backwards along the axis. Gradient: backwards too. */
export const flip = build.flip as unknown as <N extends string>(
  axis: N,
) => <A extends string, D extends DType>(x: Tensor<A | N, D>) => Tensor<A | N, D>

/** The tensors one after the other along the axis. All have the same axes. Gradient: to each its own slice. */
export const concat = build.concat as unknown as <N extends string>(
  axis: N,
) => <A extends string, D extends DType>(first: Tensor<A | N, D>, ...others: readonly NoInfer<Tensor<A | N, D>>[]) => Tensor<A | N, D>

/**
 * The axis as two, of which the inner has the given size and is the faster: row-major. The size must divide that of the axis, which is an
 * error where it is known, else when it is bound. Gradient: merged.
 */
export const split = ((axis: string, into: build.Pair & { readonly size: number }) => build.split(axis, into, into.size)) as unknown as <
  N extends string,
  const O extends string,
  const I extends string,
>(
  axis: N,
  into: { readonly outer: O; readonly inner: I; readonly size: number },
) => <A extends string, D extends DType>(x: Tensor<A | N, D>) => Tensor<Exclude<A, N> | O | I, D>

/** Two axes as one, the inner the faster: row-major, so that it undoes `split`. Gradient: split. */
export const merge = build.merge as unknown as <N extends string, const O extends string, const I extends string>(
  axis: N,
  of: { readonly outer: O; readonly inner: I },
) => <A extends string, D extends DType>(x: Tensor<A | O | I, D>) => Tensor<Exclude<A, O | I> | N, D>

/** x with axes called by other names; two may swap theirs. A name that another axis has is an error. Gradient: renamed back. */
export const rename = build.rename as unknown as <const M extends Readonly<Record<string, string>>>(
  names: M,
) => <A extends string, D extends DType>(x: Tensor<A | (keyof M & string), D>) => Tensor<Exclude<A, keyof M> | M[keyof M], D>

/** x repeated along the axes of `like` that it lacks, in the order of `like`. Gradient: into x, summed over those axes; none into `like`. */
export const broadcastLike = ((like: AnyTensor) => build.broadcastTo(like.axes)) as unknown as <A extends string>(
  like: Tensor<A, DType> | Tensor<A> | Tensor<A, 'i32'> | Tensor<A, 'bool'>,
) => <B extends A, D extends DType>(x: Tensor<B, D>) => Tensor<A, D>

/** x repeated along new axes of the given sizes; an axis that x has is an error. Gradient: summed over the new axes. */
export const broadcast = ((sizes: Readonly<Record<string, Size | number>>) => (x: AnyTensor) =>
  build.broadcastTo([...Object.entries(sizes).map(([name, size]): Axis => ({ name, size: toSize(size) })), ...x.axes])(x)) as unknown as <
  N extends string,
>(
  sizes: Readonly<Record<N, Size | number>>,
) => <A extends string, D extends DType>(x: Tensor<A, D>) => Tensor<A | N, D>

/** 0, 1, 2, … along an axis of its own. */
export const iota = build.iota as <N extends string>(axis: N, size: Size | number) => Tensor<N, 'i32'>

/** A size as an i32 scalar, to be computed with: no constant, so a program runs at any size. */
export const extent = build.extent as (size: Size | number) => Scalar<'i32'>

/** The size of one of x's axes, to be given where a size is asked for; 0 if x has no such axis. */
export const sizeAlong =
  (axis: string) =>
  (x: AnyTensor): Size =>
    axisOf(x, axis)?.size ?? toSize(0)
