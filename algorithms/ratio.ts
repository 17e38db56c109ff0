import { pipe } from 'fp-ts/lib/function.js'
import { clip, neg, sub, type Tensor } from '../dsl/index.js'
import type { SurrogateBatch, Tokens } from './batch.js'
import { boundedExp } from './exponent.js'
import { type Setting, toScalar } from './setting.js'

type Pair = Pick<SurrogateBatch<Tokens>, 'logProbs' | 'oldLogProbs'>

/**
 * log r = log π − log π_old, in nats, clamped to ±limit where a limit is given: e⁸⁹ overflows f32, and a clamp after the
 * exponential would multiply its derivative, ∞, by 0. Beyond the limit the gradient is 0; at it, it passes.
 */
export const logRatio = ({ logProbs, oldLogProbs }: Pair, limit?: Setting): Tensor<Tokens> => {
  const difference = sub(logProbs, oldLogProbs)
  return limit === undefined ? difference : pipe(difference, clip(neg(toScalar(limit)), toScalar(limit)))
}

/** r = π/π_old, up to e⁸⁰. Gradient: into `logProbs`, r itself; none beyond. */
export const policyRatio = (pair: Pair, limit?: Setting): Tensor<Tokens> => boundedExp(logRatio(pair, limit))
