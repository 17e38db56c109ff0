import { add, erf, lessEqual, mul, select, sigmoid, tanh } from './algebra.js'
import type { Tensor } from './tensor.js'

/** max(x, 0); NaN of NaN. Gradient: 1 where x > 0, none elsewhere, as PyTorch has it: at 0, too, where a maximum of the two would halve it. */
export const relu = <A extends string>(x: Tensor<A>): Tensor<A> => select(lessEqual(x, 0), 0, x)

/** x·σ(x), also called swish; NaN at −∞. Gradient: σ·(1 + x·(1 − σ)). Source: arXiv:1702.03118. */
export const silu = <A extends string>(x: Tensor<A>): Tensor<A> => mul(x, sigmoid(x))

export interface GeluSettings {
  /**
   * How Φ is found, in PyTorch's words. `none`: by the error function; `tanh`: by tanh, off by 5e-4 at most, as GPT-2 was trained. No
   * default, as PyTorch and JAX differ in theirs.
   */
  readonly approximate: 'none' | 'tanh'
}

/** Φ(x), the standard normal's cumulative distribution. */
const cumulative: { readonly [How in GeluSettings['approximate']]: <A extends string>(x: Tensor<A>) => Tensor<A> } = {
  none: (x) => mul(0.5, add(1, erf(mul(x, Math.SQRT1_2)))),
  tanh: (x) => mul(0.5, add(1, tanh(mul(Math.sqrt(2 / Math.PI), add(x, mul(0.044715, mul(x, mul(x, x)))))))),
}

/** x·Φ(x); NaN at −∞. Gradient: Φ(x) + x·φ(x), with φ the normal density, or that of the approximation. Source: arXiv:1606.08415. */
export const gelu =
  ({ approximate }: GeluSettings) =>
  <A extends string>(x: Tensor<A>): Tensor<A> =>
    mul(x, cumulative[approximate](x))
