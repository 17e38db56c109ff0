import { pipe } from 'fp-ts/lib/function.js'
import { div, equal, greater, max, select, stopGradient, sub, type Tensor } from '../../dsl/index.js'
import { groupDivisor, type GroupOptions, type GroupSettings } from '../groups.js'
import { ofMember, otherMembers } from './group-members.js'

/**
 * Advantages for being right once in k: the best response of a group is worth what it has over the second best, the others nothing.
 *
 *   A_i = max(r_i − max_{j≠i} r_j, 0) / (std_g + ε)
 *
 * A tie at the top gives 0 to all. Axes: `batch`; `group`, `valid` and the settings as in `groupAdvantages`, the baseline not read.
 * Gradient: none, it is data. Source: arXiv:2503.19595; verl/trainer/ppo/core_algos.py:compute_grpo_passk_outcome_advantage.
 */
export const passAtKAdvantages =
  (settings: GroupSettings) =>
  (rewards: Tensor<'batch'>, group: Tensor<'batch', 'i32'>, options: GroupOptions<'batch'> = {}): Tensor<'batch'> => {
    const others = select(otherMembers(group, options.valid), ofMember(rewards), -Infinity)
    const second = pipe(others, max('member'))
    const alone = settings.singleton === 'zero' ? 0 : rewards
    const lead = select(equal(second, -Infinity), alone, select(greater(rewards, second), sub(rewards, second), 0))
    const advantages = div(lead, groupDivisor(settings)(rewards, group, options))
    return stopGradient(options.valid === undefined ? advantages : select(options.valid, advantages, 0))
  }
