import { pipe } from 'fp-ts/lib/function.js'
import { add, clip, exp, log, min, mul, neg, type Scalar, sign, type Tensor } from '../dsl/index.js'
import { acrossRows, type Aggregation, rowMeanTokenMean, rowsOf } from './aggregate.js'
import { type SurrogateBatch, surrogateTokens, type Tokens } from './batch.js'
import { boundedExp } from './exponent.js'
import { logRatio } from './ratio.js'
import { toScalar } from './setting.js'
import type { ClipRange } from './surrogate.js'

export interface GmpoConfig {
  /** On the log-ratio of a token, in nats: it is clipped above `high` where the advantage is positive, below −`low` where it is negative. */
  readonly clip: ClipRange
  /** How a row's log-ratios and advantages become one, and the rows one number: `rowMeanTokenMean` if not said. */
  readonly aggregation?: Aggregation
}

/** The log-ratio, clipped on the side that the advantage pulls to; 0 where the advantage is 0. */
const clippedLogRatio = ({ low, high }: ClipRange, tokens: SurrogateBatch<Tokens>): Tensor<Tokens> => {
  const direction = sign(tokens.advantages)
  const x = logRatio(tokens)
  return mul(direction, min(mul(direction, x), mul(direction, pipe(x, clip(neg(toScalar(low)), toScalar(high))))))
}

/**
 * Geometric-Mean Policy Optimization: a response's ratio is the geometric mean of its tokens' clipped ones, which an outlier hardly moves.
 *
 *   L = −across rows of [ A_b·exp( within m·x' ) ],   x' = log r clipped where A pulls,  A_b = within m·A
 *
 * A rollout weight multiplies by the geometric mean of its row. Gradient: through `logProbs` alone, inside the mask alone; none through a
 * token that is clipped, nor where a row's mean is beyond 80. A batch without response tokens gives 0. Source: arXiv:2507.20673, eq. 4 and its listing.
 */
export const gmpoLoss =
  ({ clip: range, aggregation = rowMeanTokenMean }: GmpoConfig) =>
  <A extends Tokens>(batch: SurrogateBatch<A>): Scalar => {
    const tokens = surrogateTokens(batch)
    const row = rowsOf(aggregation.within)(tokens.responseMask)
    const gain = mul(pipe(tokens.advantages, row), boundedExp(pipe(clippedLogRatio(range, tokens), row)))
    const weighted = tokens.rolloutWeights === undefined ? gain : mul(gain, exp(pipe(log(add(tokens.rolloutWeights, 1e-10)), row)))
    return pipe(weighted, acrossRows(aggregation.across)(tokens.responseMask), neg)
  }
