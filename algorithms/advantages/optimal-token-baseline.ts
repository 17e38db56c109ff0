import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  broadcastLike,
  countTrue,
  cumulativeSum,
  div,
  equal,
  exp,
  extent,
  greater,
  groupCount,
  type Grouping,
  groupSum,
  iota,
  mul,
  select,
  sizeAlong,
  sizes,
  stopGradient,
  sub,
  type Tensor,
  toF32,
  toI32,
  where,
} from '../../dsl/index.js'
import { responseOnly, type Tokens } from '../batch.js'
import type { GroupOptions } from '../groups.js'
import { discountedReturns, type Estimates } from './returns.js'

type Mask = Tensor<Tokens, 'bool'>
type Ids = Tensor<Tokens, 'i32'>

const stepsOf = {
  place: (mask: Mask): Ids => pipe(iota('time', sizeAlong('time')(mask)), broadcastLike(mask)),
  responseToken: (mask: Mask): Ids => select(mask, toI32(sub(pipe(toF32(mask), cumulativeSum('time')), 1)), 0),
} as const satisfies Readonly<Record<string, (mask: Mask) => Ids>>

export interface TokenBaselineSettings {
  /** Which tokens of a group share a baseline: those at one place, or those that are the n-th response token of their rows, whatever tools wrote between. */
  readonly step: keyof typeof stepsOf
  /** What the only token of its group at a step has: 0, up to ε, being its own baseline, or its return, without one. */
  readonly lone: 'zero' | 'return'
  /** Added to the sum of the weights; more than 0. */
  readonly epsilon: number
}

export interface TokenBaselineBatch {
  readonly rewards: Tensor<Tokens>
  /** Of the policy that sampled. */
  readonly logProbs: Tensor<Tokens>
  /** Σπ² of that policy at each token: `collisionProbability`. */
  readonly collision: Tensor<Tokens>
  readonly responseMask: Mask
  /** Importance weights of a rollout engine: the gradient has their square in its variance. */
  readonly rolloutWeights?: Tensor<Tokens>
}

/** ρ²·(1 − 2π + Σπ²) of each response token, ‖∂ log π/∂ logits‖²: what its gradient adds to the variance. */
const energies = ({ logProbs, collision, rolloutWeights, responseMask }: TokenBaselineBatch): Tensor<Tokens> => {
  const entered = responseOnly(responseMask)
  const energy = sub(add(1, entered(collision)), mul(2, exp(entered(logProbs))))
  const weighted = rolloutWeights === undefined ? energy : mul(energy, mul(entered(rolloutWeights), entered(rolloutWeights)))
  return pipe(weighted, where(responseMask))
}

/**
 * The baseline of least variance for each token: the mean, over the group, of the returns from its step on, in which a row weighs as much
 * as the squared norm of its gradient up to there.
 *
 *   A_t = G_t − Σ_g W_t·G_t / (Σ_g W_t + ε),   W_t = Σ_{j≤t} ρ_j²·(1 − 2π_j + Σπ_j²),   G_t = Σ_{j≥t} r_j
 *
 * Axes: tokens `batch, time`; `group` is `batch`, as in `groupAdvantages`, and `valid` is not read: the mask says which tokens count.
 * A row that alone of its group has response tokens has its return. Outside the mask advantages are 0. Gradient: none, all of it is data.
 * Source: verl/trainer/ppo/core_algos.py:compute_optimal_token_baseline_advantage and, by response tokens, its form for several turns.
 */
export const optimalTokenBaseline =
  ({ step, lone, epsilon }: TokenBaselineSettings) =>
  (
    batch: TokenBaselineBatch,
    group: Tensor<'batch', 'i32'>,
    { groups = sizeAlong('batch')(group) }: Omit<GroupOptions<'batch'>, 'valid'> = {},
  ): Estimates => {
    const { rewards, responseMask: mask } = batch
    const width = sizeAlong('time')(mask)
    const peers = add(stepsOf[step](mask), mul(group, extent(width)))
    const within: Grouping<Tokens> = { groups: sizes.product([groups, width]), mask }
    const total = groupSum(peers, within)

    const returns = pipe(rewards, discountedReturns({ gamma: 1 })(mask))
    const weights = pipe(energies(batch), cumulativeSum('time'))
    const baseline = div(pipe(mul(weights, returns), total), add(pipe(weights, total), epsilon))
    const hasTokens = greater(pipe(mask, countTrue('time')), 0)
    const isAloneInGroup = equal(pipe(group, toF32, groupCount(group, { groups, mask: hasTokens })), 1)
    const isAloneAtStep = equal(pipe(returns, groupCount(peers, within)), 1)
    const alone = lone === 'return' ? isAloneAtStep : pipe(isAloneInGroup, broadcastLike(mask))
    return { advantages: pipe(sub(returns, select(alone, 0, baseline)), where(mask), stopGradient), returns }
  }
