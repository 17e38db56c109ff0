import { pipe } from 'fp-ts/lib/function.js'
import type { Tensor } from '../../dsl/index.js'
import { responseOnly, type Tokens } from '../batch.js'
import { groupAdvantages, type GroupOptions, type GroupSettings } from '../groups.js'
import { discountedReturns, type Estimates, type ReturnSettings } from './returns.js'
import { whiten, type WhitenSettings } from './whiten.js'

export interface ReinforcePlusPlusSettings extends ReturnSettings {
  readonly whitening: WhitenSettings
}

/**
 * REINFORCE++: what a token earns from its own reward on, whitened over all response tokens of the batch, which stands for a critic.
 *
 *   A = whiten(R),   R_t = r_t + γ·R of the response token behind
 *
 * Axes: rewards `batch, time`. The whitening couples the rows. Gradient: none, it is data. Source: arXiv:2501.03262; verl
 * compute_reinforce_plus_plus_outcome_advantage, which resets the return at tokens of tools.
 */
export const reinforcePlusPlus =
  ({ whitening, ...returnSettings }: ReinforcePlusPlusSettings) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<Tokens>): Estimates => {
    const returns = pipe(rewards, discountedReturns(returnSettings)(mask))
    return { advantages: pipe(returns, whiten(whitening)(mask)), returns }
  }

export interface ReinforcePlusPlusBaselineSettings extends Pick<GroupSettings, 'singleton'> {
  readonly whitening: WhitenSettings
}

/**
 * REINFORCE++ with a baseline: the distance of a response's reward from the mean of its group, at each of its tokens, whitened over all
 * response tokens of the batch. The deviation is that of the batch, in which a long response weighs more, and not that of a group.
 *
 * Axes: rewards `batch`, the result `batch, time`; `group` and `valid` as in `groupAdvantages`. The tokens of a row that is not valid take
 * part in the whitening as 0: leave them out of the mask. Gradient: none. Source: arXiv:2501.03262.
 */
export const reinforcePlusPlusBaseline =
  ({ whitening, singleton }: ReinforcePlusPlusBaselineSettings) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<'batch'>, group: Tensor<'batch', 'i32'>, options: GroupOptions<'batch'> = {}): Tensor<Tokens> => {
    const distances = groupAdvantages({ scale: 'one', ddof: 0, epsilon: 0, singleton })(rewards, group, options)
    return pipe(distances, responseOnly(mask), whiten(whitening)(mask))
  }
