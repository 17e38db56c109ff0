import type { OnlyScalar, Tensor } from '../dsl/index.js'
import { type Differentiable, grad, jvp } from './grad.js'

/**
 * The Hessian of a scalar function of a tree of parameters times a tree like them, H·v, without H: forward mode over reverse mode, at a few
 * times the cost of a gradient.
 *
 *     hvp(loss)(params)(direction) // lim (∇loss(params + h·direction) − ∇loss(params)) / h
 *
 * It is symmetric, ⟨u, H·v⟩ = ⟨v, H·u⟩. What has no first derivative, because it is stopped or no float, has no second. A function with a
 * vjp that is not linear in its cotangent has no forward mode: an error of the program.
 */
export const hvp =
  <P, A extends string = never>(f: (params: P) => Tensor<A> & OnlyScalar<A>) =>
  (params: Differentiable<P>) =>
  (direction: P): P =>
    jvp((p: P) => grad<P, A>(f)(p as Differentiable<P>) as never, params, direction).tangent
