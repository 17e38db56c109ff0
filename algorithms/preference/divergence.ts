import { mul, neg, softplus, sub, type Tensor } from '../../dsl/index.js'
import { boundedExpm1 } from '../exponent.js'

/**
 * Which divergence holds the policy to the reference. `alpha` has the reverse KL at α = 1 and the forward KL at α = 0, and all between.
 * Source: arXiv:2309.16240.
 */
export type Divergence =
  | { readonly tag: 'reverseKl' }
  | { readonly tag: 'forwardKl' }
  | { readonly tag: 'jensenShannon' }
  | { readonly tag: 'alpha'; readonly alpha: number }

/** (u^k − 1)/k at u = eˢ. A response that is further out than an exponent of 80 has its score there, and no gradient. */
const powerScore =
  (k: number) =>
  (s: Tensor<'batch'>): Tensor<'batch'> =>
    mul(1 / k, boundedExpm1(mul(k, s)))

/**
 * What a response's log-ratio s = log π/π_ref is worth under a divergence D_f, u = eˢ: f′(u) less its value at u = 1, so that under each
 * of them a response that both policies find as likely is worth 0.
 *
 *   reverse KL s,  forward KL 1 − e⁻ˢ,  Jensen-Shannon log σ(s) + log 2,  α (e^((α−1)s) − 1)/(α − 1)
 *
 * A reward is known from such a score up to a number for each prompt, which cancels in the margin of a pair and nowhere else.
 * Gradient: into s; none where an exponent is beyond 80.
 */
export const divergenceScore =
  (divergence: Divergence) =>
  (s: Tensor<'batch'>): Tensor<'batch'> => {
    switch (divergence.tag) {
      case 'reverseKl':
        return s
      case 'forwardKl':
        return powerScore(-1)(s)
      case 'jensenShannon':
        return sub(Math.LN2, softplus(neg(s)))
      case 'alpha':
        return divergence.alpha === 1 ? s : powerScore(divergence.alpha - 1)(s)
    }
  }
