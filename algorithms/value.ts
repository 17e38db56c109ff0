import { pipe } from 'fp-ts/lib/function.js'
import { add, less, maximum, min, mul, type Scalar, stopGradient, sub, type Tensor, toF32 } from '../dsl/index.js'
import { aggregate, type Aggregation, tokenMean } from './aggregate.js'
import { responseOnly, type Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/** What a critic's loss reads, in the units of the reward. */
export interface ValueBatch {
  /** V(state before the token), of the critic being trained: the only field that a gradient flows into. */
  readonly values: Tensor<Tokens>
  /** The critic's values when the responses were sampled. */
  readonly oldValues: Tensor<Tokens>
  readonly returns: Tensor<Tokens>
  readonly responseMask: Tensor<Tokens, 'bool'>
}

export interface ValueConfig {
  /** How far a value may go from its old one before its gradient ends, in the units of the reward. */
  readonly clip: Setting
  /** `tokenMean` if not said. */
  readonly aggregation?: Aggregation
}

const errors = ({ clip }: ValueConfig, { values, oldValues, returns, responseMask }: ValueBatch) => {
  const entered = responseOnly(responseMask)
  const [v, old, target] = [entered(values), stopGradient(entered(oldValues)), stopGradient(entered(returns))]
  const near = maximum(min(v, add(old, toScalar(clip))), sub(old, toScalar(clip)))
  const square = (x: Tensor<Tokens>): Tensor<Tokens> => mul(sub(x, target), sub(x, target))
  return { plain: square(v), clipped: square(near) }
}

/**
 * ½·agg over response tokens of max( (V − R)², (clip(V, V_old ± c) − R)² ): a critic's squared error, the greater of two, so that it is
 * never rewarded for going beyond the clip. Half the gradient passes at its edges, as a maximum of tensors has it.
 *
 * Gradient: into `values` alone, inside the mask alone. Source: baselines' PPO2; verl `compute_value_loss`.
 */
export const valueLoss =
  (config: ValueConfig) =>
  (batch: ValueBatch): Scalar => {
    const { plain, clipped } = errors(config, batch)
    return mul(0.5, pipe(maximum(plain, clipped), aggregate(config.aggregation ?? tokenMean)(batch.responseMask)))
  }

/** The share of response tokens whose clipped error is the greater. */
export const valueClipFraction =
  (config: ValueConfig) =>
  (batch: ValueBatch): Scalar => {
    const { plain, clipped } = errors(config, batch)
    return pipe(toF32(less(plain, clipped)), aggregate(config.aggregation ?? tokenMean)(batch.responseMask))
  }
