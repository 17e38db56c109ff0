import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  broadcastLike,
  div,
  equal,
  groupCount,
  type Grouping,
  groupMean,
  groupStd,
  scalar,
  select,
  type Size,
  sizes,
  stopGradient,
  sub,
  type Tensor,
  where,
} from '../dsl/index.js'

export interface GroupSettings {
  /** `deviation` divides the distance from the mean by the group's standard deviation; `one` leaves it (Dr. GRPO, arXiv:2503.20783, section 3). */
  readonly scale: 'deviation' | 'one'
  /** The variance divides by n − ddof. */
  readonly ddof: 0 | 1
  /** Added to the standard deviation; in the units of the reward. */
  readonly epsilon: number
  /** The advantage of a member that is alone: 0, or its own reward, as if the mean were 0 and the deviation 1. */
  readonly singleton: 'zero' | 'reward'
}

export interface GroupOptions<A extends string> {
  /** Rewards that count; all of them if not said. Elsewhere the advantage is 0. */
  readonly valid?: Tensor<A, 'bool'>
  /** One more than the greatest index there may be; as many as there are indices if not said. */
  readonly groups?: number | Size
}

/**
 * Group-relative advantages: how far a reward lies from the mean of its group, in standard deviations of the group.
 *
 *   A_i = (r_i − mean_g) / (std_g + ε),   std_g² = Σ_g (r − mean_g)² / max(n_g − ddof, 1)
 *
 * `group` says to which group a reward belongs: 0 ≤ group < groups, in any order, of any sizes. It may have fewer axes than the rewards:
 * with a reward per row and turn and a group per row, the statistics are over all turns of all rows of the group.
 * Gradient: none, an advantage is data. The variance takes a second pass, so that equal rewards give 0 up to rounding, and ε decides.
 * Source: DeepSeekMath, arXiv:2402.03300, section 4.1.2.
 */
export const groupAdvantages =
  ({ scale, ddof, epsilon, singleton }: GroupSettings) =>
  <A extends string, B extends A>(rewards: Tensor<A>, group: Tensor<B, 'i32'>, { valid, groups }: GroupOptions<A> = {}): Tensor<A> => {
    const counted = (x: Tensor<A>): Tensor<A> => (valid === undefined ? x : pipe(x, where(valid)))
    const member = pipe(group, broadcastLike(rewards))
    const within: Grouping<A> = {
      groups: groups ?? sizes.product(group.axes.map(({ size }) => size)),
      ...(valid === undefined ? {} : { mask: valid }),
    }

    const r = counted(rewards)
    const n = pipe(r, groupCount(member, within))
    const centred = counted(sub(r, pipe(r, groupMean(member, within))))
    const deviation = pipe(r, groupStd(member, { ...within, ddof }))
    const scaled = <C extends A>(x: Tensor<A>, std: Tensor<C>): Tensor<A> => (scale === 'one' ? x : div(x, add(std, epsilon)))
    const alone = singleton === 'zero' ? 0 : scaled(r, scalar(1))
    return pipe(select(equal(n, 1), alone, scaled(centred, deviation)), counted, stopGradient)
  }
