import { pipe } from 'fp-ts/lib/function.js'
import { add, mul, rsqrt, sub } from './algebra.js'
import { mean } from './mean.js'
import type { Tensor } from './tensor.js'

export interface RmsNormSettings<N extends string> {
  /** Added to the mean square before its root, in the units of x². Where it is 0, a row of zeros is NaN. */
  readonly epsilon: number
  /** A factor for each place along the axis; 1 if not said. */
  readonly weight?: Tensor<N>
}

export interface LayerNormSettings<N extends string> extends RmsNormSettings<N> {
  /** Added last, for each place along the axis; 0 if not said. */
  readonly bias?: Tensor<N>
}

/** x / √(mean x² + ε) over the axis. */
const overRootMeanSquare =
  <N extends string>(axis: N, epsilon: number) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> => {
    const meanSquare = pipe(mul(x, x), mean(axis))
    return mul(x, rsqrt(add(meanSquare, epsilon)))
  }

const scaled =
  <N extends string>(weight: Tensor<N> | undefined) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> =>
    weight === undefined ? x : mul(x, weight)

/**
 * x / √(mean x² + ε) · weight over the axis: RMSNorm. A row of zeros stays one, with a finite gradient.
 * Gradient: into x and the weight. Source: Root Mean Square Layer Normalization, arXiv:1910.07467, eq. 4.
 */
export const rmsNorm =
  <N extends string>(axis: N, { epsilon, weight }: RmsNormSettings<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> =>
    pipe(x, overRootMeanSquare(axis, epsilon), scaled(weight))

/**
 * (x − mean) / √(variance + ε) · weight + bias over the axis, the variance being the mean of (x − mean)², as in PyTorch. A row of equal
 * numbers is the bias, with a finite gradient. Gradient: into x, the weight and the bias. Source: arXiv:1607.06450, eq. 4.
 */
export const layerNorm =
  <N extends string>(axis: N, { epsilon, weight, bias }: LayerNormSettings<N>) =>
  <A extends string>(x: Tensor<A | N>): Tensor<A | N> => {
    const centred = sub(x, pipe(x, mean(axis)))
    const normed = pipe(centred, overRootMeanSquare(axis, epsilon), scaled(weight))
    return bias === undefined ? normed : add(normed, bias)
  }
