import { pipe } from 'fp-ts/lib/function.js'
import { exp, logSumExp, mul, sub, type Tensor } from '../dsl/index.js'

/**
 * Σ π² over the axis, π = softmax(logits): how likely two draws are the same, from 1/n to 1.
 *
 *   exp( log Σ e²ˣ − 2·log Σ eˣ )
 *
 * Gradient: into the logits. Source: verl `calculate_sum_pi_squared_from_logits`.
 */
export const collisionProbability =
  <N extends string>(axis: N) =>
  <A extends string>(logits: Tensor<A | N>): Tensor<Exclude<A, N>> =>
    exp(sub(pipe(mul(logits, 2), logSumExp(axis)), mul(2, pipe(logits, logSumExp(axis)))))
