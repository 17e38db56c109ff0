import { add, div, min, mul, type Scalar, scalar, sqrt } from '../dsl/index.js'
import { mapParameters, parametersOf, total } from './parameters.js'

/** √Σ g² over every element of every leaf. */
export const globalNorm = (grads: unknown): Scalar => sqrt(parametersOf(grads).reduce((sum, g) => add(sum, total(mul(g, g))), scalar(0)))

/** Gradients after clipping. */
export interface Clipped<P> {
  readonly grads: P
  /** The norm before. */
  readonly norm: Scalar
}

/**
 * The gradients shrunk together, direction kept, so that their global norm is at most `maxNorm`: times min(1, maxNorm / (norm + 10⁻⁶)), as PyTorch.
 * A norm that is not finite makes them all so.
 */
export const clipByGlobalNorm =
  (maxNorm: number | Scalar) =>
  <P>(grads: P): Clipped<P> => {
    const norm = globalNorm(grads)
    const factor = min(1, div(maxNorm, add(norm, 1e-6)))
    return { grads: mapParameters((g) => mul(g, factor))(grads), norm }
  }
