import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  broadcastLike,
  contract,
  countTrue,
  extent,
  greater,
  iota,
  isNumber,
  mul,
  sizeAlong,
  sizes,
  stopGradient,
  type Tensor,
  where,
} from '../../dsl/index.js'
import { batchAdvantages, groupAdvantages, type GroupOptions, type GroupSettings } from '../groups.js'

/** What several functions said of each response, in units of their own; NaN where one said nothing. */
export type Rewards = Tensor<'batch' | 'reward'>

/** The rows of which any function said something. */
export const hasReward = (rewards: Rewards): Tensor<'batch', 'bool'> => greater(pipe(isNumber(rewards), countTrue('reward')), 0)

/** Σ wₖ·rₖ of each row, over the functions that said something; 0 where none did. Gradient: none, it is data. */
export const weightedReward =
  (weights: Tensor<'reward'>) =>
  (rewards: Rewards): Tensor<'batch'> =>
    stopGradient(contract('reward')(pipe(rewards, where(isNumber(rewards))), weights))

type Options = Omit<GroupOptions<'batch'>, 'valid'>

/**
 * The rewards of a response added up, and then compared within its group: a function of great deviation outweighs the others.
 *
 *   A = groupAdvantages(Σ wₖ·rₖ)
 *
 * A row of which no function said anything has 0 and is in no mean. Axes: `batch, reward` to `batch`. Gradient: none.
 */
export const advantagesOfSum =
  (settings: GroupSettings) =>
  (rewards: Rewards, weights: Tensor<'reward'>, group: Tensor<'batch', 'i32'>, options: Options = {}): Tensor<'batch'> =>
    groupAdvantages(settings)(pipe(rewards, weightedReward(weights)), group, { ...options, valid: hasReward(rewards) })

/** The group of each function's rewards: those of one question by one function. */
const groupsByReward = (rewards: Rewards, group: Tensor<'batch', 'i32'>): Tensor<'batch' | 'reward', 'i32'> => {
  const functions = sizeAlong('reward')(rewards)
  return add(pipe(mul(group, extent(functions)), broadcastLike(rewards)), iota('reward', functions))
}

/**
 * Each function's rewards compared within the group, and then added up, so that each function has the deviation its weight gives it.
 *
 *   A = batchAdvantages(Σ wₖ·groupAdvantages(rₖ))
 *
 * A reward that is missing counts as 0, the mean; a row of which no function said anything has 0 and is in no mean. It couples the rows of
 * a batch. Axes: `batch, reward` to `batch`. Gradient: none. Source: GDPO, arXiv:2601.05242.
 */
export const sumOfAdvantages =
  (settings: GroupSettings) =>
  (
    rewards: Rewards,
    weights: Tensor<'reward'>,
    group: Tensor<'batch', 'i32'>,
    { groups = sizeAlong('batch')(group) }: Options = {},
  ): Tensor<'batch'> => {
    const each = groupAdvantages(settings)(rewards, groupsByReward(rewards, group), {
      valid: isNumber(rewards),
      groups: sizes.product([groups, sizeAlong('reward')(rewards)]),
    })
    return batchAdvantages(settings)(pipe(each, weightedReward(weights)), { valid: hasReward(rewards) })
  }
