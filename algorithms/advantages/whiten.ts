import { pipe } from 'fp-ts/lib/function.js'
import { add, countTrue, div, maximum, mul, rsqrt, type Scalar, sub, type Tensor, where } from '../../dsl/index.js'
import { aggregate, type Aggregation, tokenMean } from '../aggregate.js'
import type { Tokens } from '../batch.js'

type Mask = Tensor<Tokens, 'bool'>

export interface TokenVarianceSettings {
  /** The squares are divided by n − ddof, n being the number of response tokens. */
  readonly ddof: 0 | 1
  /** The mean: `tokenMean` if not said, or one with an ε in the divisor. */
  readonly mean?: Aggregation
}

/** x less its mean over the response tokens; 0 elsewhere. */
const centred =
  (mean: Aggregation, mask: Mask) =>
  (x: Tensor<Tokens>): Tensor<Tokens> =>
    pipe(sub(x, pipe(x, aggregate(mean)(mask))), where(mask))

/** mean (x − mean)² · n/max(n − ddof, 1) over all response tokens of the batch; 0 of one or none, whatever ddof is. Gradient: into them. */
export const tokenVariance =
  ({ ddof, mean = tokenMean }: TokenVarianceSettings) =>
  (mask: Mask) =>
  (x: Tensor<Tokens>): Scalar => {
    const distance = pipe(x, centred(mean, mask))
    const n = pipe(mask, countTrue('batch', 'time'))
    return mul(pipe(mul(distance, distance), aggregate(mean)(mask)), div(n, maximum(sub(n, ddof), 1)))
  }

export interface WhitenSettings extends TokenVarianceSettings {
  /** Added to the variance before its root, in the square of the units of x; more than 0, or equal numbers are NaN. */
  readonly epsilon: number
  /** Whether the mean becomes 0; true if not said. Else only the deviation becomes 1, and the mean is added back. */
  readonly shift?: boolean
  /** What stands outside the mask: 0 if not said, or x shifted and scaled as if it were a response token, which a NaN there survives. */
  readonly outside?: 'zero' | 'whitened'
}

/**
 * x with mean 0 and variance 1 over all response tokens of the batch.
 *
 *   y = (x − mean) / √(variance + ε)
 *
 * Every token weighs the same, so a long response weighs more. One token is 0, no token changes nothing. It couples the rows of a batch:
 * a part of the batch has another mean.
 * Gradient: into x, through mean and variance, too; advantages are data and have none.
 * Source: verl/utils/torch_functional.py:masked_whiten; the peers differ in each of the settings.
 */
export const whiten =
  ({ epsilon, shift = true, outside = 'zero', ...settings }: WhitenSettings) =>
  (mask: Mask) =>
  (x: Tensor<Tokens>): Tensor<Tokens> => {
    const mean = pipe(x, aggregate(settings.mean ?? tokenMean)(mask))
    const scaled = mul(sub(x, mean), rsqrt(add(pipe(x, tokenVariance(settings)(mask)), epsilon)))
    const whitened = shift ? scaled : add(scaled, mean)
    return outside === 'zero' ? pipe(whitened, where(mask)) : whitened
  }
