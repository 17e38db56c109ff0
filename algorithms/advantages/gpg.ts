import { pipe } from 'fp-ts/lib/function.js'
import { and, countAlong, countTrue, div, equal, maximum, mul, not, stopGradient, type Tensor } from '../../dsl/index.js'
import { groupAdvantages, type GroupOptions, type GroupSettings } from '../groups.js'
import { type Setting, toScalar } from '../setting.js'

export interface GpgSettings extends Pick<GroupSettings, 'singleton'> {
  /** What the distance from the group's mean is divided by; 1 if not said. */
  readonly divisor?: Setting
}

/**
 * Group policy gradient: distances from the group's mean, the greater the fewer rewards of the batch are not 0.
 *
 *   A_i = α·(r_i − mean_g) / divisor,   α = rows / max(rows with r ≠ 0, 1)
 *
 * α couples the rows of a batch: a part of the batch has another. Axes: `batch`; `group` and `valid` as in `groupAdvantages`.
 * Gradient: none, it is data. Source: arXiv:2504.02546; verl/trainer/ppo/core_algos.py:compute_gpg_outcome_advantage.
 */
export const gpgAdvantages =
  ({ singleton, divisor = 1 }: GpgSettings) =>
  (rewards: Tensor<'batch'>, group: Tensor<'batch', 'i32'>, options: GroupOptions<'batch'> = {}): Tensor<'batch'> => {
    const { valid } = options
    const isEarned = not(equal(rewards, 0))
    const earned = pipe(valid === undefined ? isEarned : and(valid, isEarned), countTrue('batch'))
    const rows = valid === undefined ? pipe(rewards, countAlong('batch')) : pipe(valid, countTrue('batch'))
    const distances = groupAdvantages({ scale: 'one', ddof: 0, epsilon: 0, singleton })(rewards, group, options)
    return stopGradient(mul(distances, div(rows, mul(maximum(earned, 1), toScalar(divisor)))))
  }
