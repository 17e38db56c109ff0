import * as build from './build/index.js'
import { userCallSite } from './call-site.js'
import { type AnyTensor, axisNames, axisOf, isTensor, type Tensor } from './tensor.js'
import { leaves, mapTree, withLeaves } from './tree.js'

/** A tree of tensors, each of which has an axis more. */
export type Widened<T, N extends string> =
  T extends Tensor<infer A, infer D> ? Tensor<A | N, D> : { readonly [K in keyof T]: Widened<T[K], N> }

/** A tree of tensors, each of which may have an axis more. */
export type Widenable<T, N extends string> =
  T extends Tensor<infer A, infer D> ? Tensor<A | N, D> | Tensor<A, D> : { readonly [K in keyof T]: Widenable<T[K], N> }

const nowhere = (axis: string, args: readonly unknown[], y: AnyTensor): AnyTensor => {
  const has = [...new Set(leaves(isTensor)(args).flatMap(({ value }) => axisNames(value)))]
  return build.refused(y, { tag: 'noSuchAxis', op: 'vmap', axis, has, at: userCallSite() })
}

/**
 * A function of tensors as one of tensors that have an axis more, applied at each of its indices alike:
 *
 *     const score = (x: Tensor<'embed'>): Scalar => …
 *     vmap('batch')(score)(xs) // of axes 'batch', for xs of 'batch' and 'embed'
 *
 * f is traced on tensors of its own axes, and its graph made again for the wider ones: what does not depend on them is computed once, and
 * there is no loop. Arguments and result are trees; an argument without the axis is the same for every index, and every result has it.
 * That none of the arguments has it, that they have it in different sizes, or that f gives a result which has one of that name already,
 * is an error of the program; an axis of that name inside f is another. Gradient: as of f at each index; where an argument, or a tensor
 * that f closes over, lacks the axis, summed over it.
 */
export const vmap = ((axis: string) =>
  (f: (...args: readonly unknown[]) => unknown) =>
  (...args: readonly unknown[]): unknown => {
    const pairs: (readonly [narrow: AnyTensor, wide: AnyTensor])[] = []
    const narrowed = mapTree(isTensor)((x, path) => {
      if (axisOf(x, axis) === undefined) return x
      const narrow = build.parameter(path, { dtype: x.dtype, axes: x.axes.filter(({ name }) => name !== axis) })
      pairs.push([narrow, x])
      return narrow
    })(args) as readonly unknown[]
    const made = f(...narrowed)
    const results = leaves(isTensor)(made).map(({ value }) => value)
    const wide = pairs.length > 0 ? build.mapped('vmap', results, pairs) : results.map((y) => nowhere(axis, args, y))
    return withLeaves(isTensor)(made, wide)
  }) as unknown as <N extends string>(
  axis: N,
) => <X extends readonly unknown[], Y>(f: (...args: X) => Y) => (...args: Widenable<X, N> & readonly unknown[]) => Widened<Y, N>
