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
  maximum,
  mul,
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
  /** What a reward is compared with: the mean of its group (if not said), or of the others in it, which does not hold the reward itself. */
  readonly baseline?: 'mean' | 'others'
  /**
   * What the distance is divided by: the standard deviation of the group, that of all rewards of the batch, which hard and easy questions
   * share, or nothing (Dr. GRPO, arXiv:2503.20783, section 3).
   */
  readonly scale: 'deviation' | 'batchDeviation' | 'one'
  /** The variance divides by n − ddof. */
  readonly ddof: 0 | 1
  /** What a smaller deviation is taken for, in the units of the reward; none if not said. */
  readonly leastDeviation?: number
  /** Added to the standard deviation; in the units of the reward. */
  readonly epsilon: number
  /** The advantage of a member that is alone: 0, or its own reward, as if the mean were 0 and the group's deviation 1. */
  readonly singleton: 'zero' | 'reward'
}

export interface GroupOptions<A extends string> {
  /** Rewards that count; all of them if not said. Elsewhere the advantage is 0, and a reward there may be NaN. */
  readonly valid?: Tensor<A, 'bool'>
  /** One more than the greatest index there may be; as many as there are indices if not said. */
  readonly groups?: number | Size
}

/** How the rewards that count are grouped. */
export const groupingOf = <A extends string, B extends A>(
  group: Tensor<B, 'i32'>,
  { valid, groups = sizes.product(group.axes.map(({ size }) => size)) }: GroupOptions<A>,
): Grouping<A> => ({ groups, ...(valid === undefined ? {} : { mask: valid }) })

interface Members<A extends string> {
  readonly rewards: Tensor<A>
  readonly group: Tensor<A, 'i32'>
  readonly within: Grouping<A>
  /** How many rewards the group has. */
  readonly n: Tensor<A>
}

type OfMembers = <A extends string>(settings: GroupSettings, members: Members<A>) => Tensor<A>

const distances: { readonly [B in NonNullable<GroupSettings['baseline']>]: OfMembers } = {
  mean: (_settings, { rewards, group, within }) => sub(rewards, pipe(rewards, groupMean(group, within))),
  // r − (Σ − r)/(n − 1) = (r − mean)·n/(n − 1)
  others: (settings, members) => mul(distances.mean(settings, members), div(members.n, maximum(sub(members.n, 1), 1))),
}

const floored = <A extends string>(x: Tensor<A>, least: number | undefined): Tensor<A> => (least === undefined ? x : maximum(x, least))

const divisors: { readonly [S in GroupSettings['scale']]: OfMembers } = {
  deviation: ({ ddof, leastDeviation, epsilon }, { rewards, group, within, n }) => {
    const std = floored(pipe(rewards, groupStd(group, { ...within, ddof })), leastDeviation)
    return add(select(equal(n, 1), 1, std), epsilon)
  },
  batchDeviation: ({ ddof, leastDeviation, epsilon }, { rewards, group, within }) =>
    add(floored(pipe(rewards, groupStd(mul(group, 0), { ...within, groups: 1, ddof })), leastDeviation), epsilon),
  one: (_settings, { rewards }) => pipe(scalar(1), broadcastLike(rewards)),
}

const membersOf = <A extends string, B extends A>(rewards: Tensor<A>, group: Tensor<B, 'i32'>, options: GroupOptions<A>): Members<A> => {
  const within = groupingOf(group, options)
  const members = { rewards: counted(options)(rewards), group: pipe(group, broadcastLike(rewards)), within }
  return { ...members, n: pipe(members.rewards, groupCount(members.group, within)) }
}

const counted =
  <A extends string>({ valid }: GroupOptions<A>) =>
  (x: Tensor<A>): Tensor<A> =>
    valid === undefined ? x : pipe(x, where(valid))

/** What a distance is divided by under the settings, ε included. */
export const groupDivisor =
  (settings: GroupSettings) =>
  <A extends string, B extends A>(rewards: Tensor<A>, group: Tensor<B, 'i32'>, options: GroupOptions<A> = {}): Tensor<A> =>
    divisors[settings.scale](settings, membersOf(rewards, group, options))

/**
 * Group-relative advantages: how far a reward lies from the mean of its group, in standard deviations of the group.
 *
 *   A_i = (r_i − mean_g) / (std_g + ε),   std_g² = Σ_g (r − mean_g)² / max(n_g − ddof, 1)
 *
 * `group` says to which group a reward belongs: 0 ≤ group < groups, in any order, of any sizes. It may have fewer axes than the rewards:
 * with a reward per row and turn and a group per row, the statistics are over all turns of all rows of the group.
 * Gradient: none, an advantage is data. The variance takes a second pass, so that equal rewards give 0 up to rounding, and ε decides.
 * Source: DeepSeekMath, arXiv:2402.03300, section 4.1.2; compared with the others and not divided it is RLOO, arXiv:2402.14740.
 */
export const groupAdvantages =
  (settings: GroupSettings) =>
  <A extends string, B extends A>(rewards: Tensor<A>, group: Tensor<B, 'i32'>, options: GroupOptions<A> = {}): Tensor<A> => {
    const members = membersOf(rewards, group, options)
    const distance = distances[settings.baseline ?? 'mean'](settings, members)
    const alone = settings.singleton === 'zero' ? 0 : members.rewards
    const advantages = div(select(equal(members.n, 1), alone, distance), divisors[settings.scale](settings, members))
    return pipe(advantages, counted(options), stopGradient)
  }

/** `groupAdvantages` of rewards that are all one group. It couples the rows of a batch: a part of the batch has another mean. */
export const batchAdvantages =
  (settings: GroupSettings) =>
  <A extends string>(rewards: Tensor<A>, { valid }: Pick<GroupOptions<A>, 'valid'> = {}): Tensor<A> =>
    groupAdvantages(settings)(rewards, pipe(scalar(0, 'i32'), broadcastLike(rewards)), { groups: 1, ...(valid && { valid }) })
