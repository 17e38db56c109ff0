import { pipe } from 'fp-ts/lib/function.js'
import { div, equal, maximum, mul, select, sqrt, sub } from './algebra.js'
import { max, sum } from './along.js'
import { cancelling } from './cancelling.js'
import { keptAlong, maskedMax, maskedMean, where } from './masks.js'
import { countAlong, mean } from './mean.js'
import type { Names } from './names.js'
import type { Tensor } from './tensor.js'

export interface VarianceSettings {
  /**
   * The squares are divided by n − ddof: 0 for the variance of these n numbers, 1 for an estimate of that of the numbers they were drawn
   * from. No default, as PyTorch's is 1, NumPy's and JAX's 0.
   */
  readonly ddof: 0 | 1
}

type AxesThenSettings<N extends string> = readonly [...axes: Names<N>, settings: VarianceSettings]

const apart = <N extends string>(given: AxesThenSettings<N>): readonly [axes: Names<N>, settings: VarianceSettings] => [
  given.slice(0, -1) as unknown as Names<N>,
  given.at(-1) as VarianceSettings,
]

/** √v with the slope 0 at 0, where that of the root is ∞ and 0·∞ would be NaN. */
export const deviation = <A extends string>(variance: Tensor<A>): Tensor<A> => {
  const none = equal(variance, 0)
  return select(none, 0, sqrt(select(none, 1, variance)))
}

/**
 * Σ (x − mean)² / (n − ddof) over the axes; NaN where n ≤ ddof, as of no elements. It is found from the distances to the greatest element,
 * in a second pass after their mean: numbers far from 0 lose no digits, and equal ones have 0. Gradient: 2·(x − mean)/(n − ddof).
 */
export const variance =
  <N extends string>(...given: AxesThenSettings<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const [axes, { ddof }] = apart(given)
    const below = sub(x, pipe(x, max(...axes), cancelling))
    const centred = sub(below, pipe(below, mean(...axes)))
    return div(pipe(mul(centred, centred), sum(...axes)), maximum(sub(pipe(x, countAlong(...axes)), ddof), 0))
  }

/** The standard deviation, √variance; NaN where that is. Gradient: (x − mean)/((n − ddof)·std), and 0 where the deviation is 0, as in PyTorch. */
export const std =
  <N extends string>(...given: AxesThenSettings<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    deviation(pipe(x, variance(...given)))

/**
 * The variance over the axes of the n elements that the mask keeps: Σ (x − mean)² / max(n − ddof, 1). So of one element or none it is 0,
 * whatever ddof is, and its gradient too, where `variance` is NaN. x has all the axes of the mask.
 */
export const maskedVariance =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...given: AxesThenSettings<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> => {
    const [axes, { ddof }] = apart(given)
    const below = pipe(sub(x, pipe(x, maskedMax(mask, ...axes), cancelling)), where(mask))
    const centred = pipe(sub(below, pipe(below, maskedMean(mask, ...axes))), where(mask))
    return div(pipe(mul(centred, centred), sum(...axes)), maximum(sub(pipe(x, keptAlong(mask, ...axes)), ddof), 1))
  }

/** √maskedVariance: 0 of one element or none. Gradient: 0 where it is 0, as that of `std`. */
export const maskedStd =
  <M extends string, N extends string>(mask: Tensor<M, 'bool'>, ...given: AxesThenSettings<N>) =>
  <A extends string>(x: Tensor<A | M | N>): Tensor<Exclude<A | M, N>> =>
    deviation(pipe(x, maskedVariance(mask, ...given)))
