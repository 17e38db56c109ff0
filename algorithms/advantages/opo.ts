import { pipe } from 'fp-ts/lib/function.js'
import {
  countTrue,
  div,
  equal,
  groupCount,
  groupSum,
  maximum,
  mul,
  select,
  stopGradient,
  sub,
  type Tensor,
  where,
} from '../../dsl/index.js'
import type { Tokens } from '../batch.js'
import { groupingOf, type GroupOptions, type GroupSettings } from '../groups.js'

/**
 * Optimal reward baseline: how far a reward lies from the mean of its group in which a response weighs as much as it is long, the baseline
 * of least variance where the gradients of tokens are alike.
 *
 *   A_i = r_i − Σ_g n·r / Σ_g n,   n the number of response tokens
 *
 * Axes: `batch`; `group` and `valid` as in `groupAdvantages`. Where no response of a group has a token the baseline is 0.
 * Gradient: none, it is data. Source: arXiv:2505.23585; verl/trainer/ppo/core_algos.py:compute_opo_outcome_advantage.
 */
export const opoAdvantages =
  ({ singleton }: Pick<GroupSettings, 'singleton'>) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<'batch'>, group: Tensor<'batch', 'i32'>, options: GroupOptions<'batch'> = {}): Tensor<'batch'> => {
    const within = groupingOf(group, options)
    const total = groupSum(group, within)
    const lengths = pipe(mask, countTrue('time'))
    const baseline = div(pipe(mul(lengths, rewards), total), maximum(pipe(lengths, total), 1))
    const isAlone = equal(pipe(rewards, groupCount(group, within)), 1)
    const advantages = select(isAlone, singleton === 'zero' ? 0 : rewards, sub(rewards, baseline))
    return stopGradient(options.valid === undefined ? advantages : pipe(advantages, where(options.valid)))
  }
