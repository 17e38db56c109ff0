import { pipe } from 'fp-ts/lib/function.js'
import { abs, add, clip, expm1, mul, stopGradient, sub, type Tensor } from '../dsl/index.js'
import { boundedExpm1 } from './exponent.js'

/**
 * Estimates of KL(π‖π_ref), per sampled token, in nats, from d = log π − log π_ref; the tokens were sampled from π.
 * Source: J. Schulman, Approximating KL Divergence, http://joschu.net/blog/kl-approx.html (2020).
 *
 * None of them knows a mask: what lies outside must be 0 before (`responseTokens`). Gradient: into whichever log-probabilities carry one.
 */
export type KlEstimate = <A extends string>(logProbs: Tensor<A>, refLogProbs: Tensor<A>) => Tensor<A>

/** d. Unbiased and noisy; below zero at half the tokens. Its gradient has mean 0 on policy: it serves in a reward, not as a loss. */
export const klK1: KlEstimate = (logProbs, refLogProbs) => sub(logProbs, refLogProbs)

/** |d|; gradient 0 at d = 0. */
export const klAbs: KlEstimate = (logProbs, refLogProbs) => abs(sub(logProbs, refLogProbs))

/** d²/2. Biased, but its gradient, d·∇log π, is on policy that of KL(π‖π_ref). */
export const klK2: KlEstimate = (logProbs, refLogProbs) => {
  const d = sub(logProbs, refLogProbs)
  return mul(0.5, mul(d, d))
}

/**
 * e⁻ᵈ − 1 + d. Unbiased, never negative, of low variance. `expm1` keeps it exact near 0. For d < −80, where f32 would overflow, the
 * exponential is e⁸⁰ and has no gradient.
 */
export const klK3: KlEstimate = (logProbs, refLogProbs) => {
  const x = sub(refLogProbs, logProbs)
  return sub(boundedExpm1(x), x)
}

/**
 * k3 with −d clamped to ±20 and the value to ±10, as verl's `low_var_kl`. Never overflows.
 * Gradient: none beyond a clamp; the second one is reached where a token is 2.61 nats more likely under the reference.
 */
export const klLowVar: KlEstimate = (logProbs, refLogProbs) => {
  const x = pipe(sub(refLogProbs, logProbs), clip(-20, 20))
  return pipe(sub(expm1(x), x), clip(-10, 10))
}

export type KlName = 'k1' | 'abs' | 'k2' | 'k3' | 'lowVar'

export const klEstimates: { readonly [K in KlName]: KlEstimate } = { k1: klK1, abs: klAbs, k2: klK2, k3: klK3, lowVar: klLowVar }

/** The value of an estimate with the gradient of k2: what a good reading of the divergence and a right gradient of it together need. */
export const withGradientOfK2 =
  (estimate: KlEstimate): KlEstimate =>
  (logProbs, refLogProbs) => {
    const k2 = klK2(logProbs, refLogProbs)
    return add(stopGradient(estimate(logProbs, refLogProbs)), sub(k2, stopGradient(k2)))
  }
