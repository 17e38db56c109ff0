import { pipe } from 'fp-ts/lib/function.js'
import { stopGradient, sub, type Tensor, where } from '../../dsl/index.js'
import type { Tokens } from '../batch.js'
import { discountedReturns, type Estimates } from './returns.js'

/**
 * ReMax: the reward to come less that of the response which the same policy gives greedily to the same prompt.
 *
 *   A_t = Σ_{response tokens from t on} r − b
 *
 * Axes: rewards `batch, time`, those outside the mask count for nothing; `baselines`, in the units of the reward, `batch`. Outside the mask
 * the advantage is 0. Gradient: none, both are data.
 * Source: arXiv:2310.10505; verl/trainer/ppo/core_algos.py:compute_remax_outcome_advantage.
 */
export const remax =
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<Tokens>, baselines: Tensor<'batch'>): Estimates => {
    const returns = pipe(rewards, discountedReturns({ gamma: 1 })(mask))
    return { advantages: pipe(sub(returns, stopGradient(baselines)), where(mask)), returns }
  }
