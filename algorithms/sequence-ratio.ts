import { pipe } from 'fp-ts/lib/function.js'
import { add, broadcastLike, min, stopGradient, sub, sum, type Tensor } from '../dsl/index.js'
import { rowsOf } from './aggregate.js'
import type { SurrogateBatch, Tokens } from './batch.js'
import { boundedExp } from './exponent.js'
import { logRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'

type Ratios = Pick<SurrogateBatch<Tokens>, 'logProbs' | 'oldLogProbs' | 'responseMask'>

/** The mean of a row's log-ratios, in nats: log of the geometric mean of its tokens' ratios; 0 of a row without response tokens. */
export const meanLogRatio = (tokens: Ratios): Tensor<'batch'> => pipe(logRatio(tokens), rowsOf({ count: 'tokens' })(tokens.responseMask))

/** The sum of a row's log-ratios, in nats: log of how much likelier the whole response became. */
export const sumLogRatio = (tokens: Ratios): Tensor<'batch'> => pipe(logRatio(tokens), sum('time'))

/** A row's ratio at each of its tokens, up to e⁸⁰. Gradient: into every token of the row; none beyond. */
export const sequenceRatio =
  (log: (tokens: Ratios) => Tensor<'batch'>) =>
  (tokens: Ratios): Tensor<Tokens> =>
    pipe(boundedExp(log(tokens)), broadcastLike(tokens.logProbs))

/**
 * sg(s)·π/sg(π), with s the geometric mean of a row's ratios: its value, and the gradient of the token's own ratio, so that each token may
 * have an advantage of its own. Beyond the ceiling, on log s in nats, and beyond 80 there is no gradient.
 * Source: GSPO-token, arXiv:2507.18071, eq. 14.
 */
export const tokenSequenceRatio =
  (ceiling?: Setting) =>
  (tokens: Ratios): Tensor<Tokens> => {
    const log = add(sub(tokens.logProbs, stopGradient(tokens.logProbs)), stopGradient(meanLogRatio(tokens)))
    return boundedExp(ceiling === undefined ? log : min(log, toScalar(ceiling)))
  }
