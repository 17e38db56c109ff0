import { pipe } from 'fp-ts/lib/function.js'
import { and, broadcastLike, expm1, lessEqual, maskedMax, mul, neg, stopGradient, sub, sum, type Tensor } from '../dsl/index.js'
import { rowsOf } from './aggregate.js'
import { responseOnly, type Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

type Mask = Tensor<Tokens, 'bool'>

/** An estimate of KL(μ‖π) at a token, in nats, from x = log π − log μ, of tokens that the rollout engine μ sampled. */
export type DriftStatistic = 'k1' | 'k2' | 'k3'

const statistics: { readonly [S in DriftStatistic]: (x: Tensor<Tokens>) => Tensor<Tokens> } = {
  k1: neg,
  k2: (x) => mul(0.5, mul(x, x)),
  k3: (x) => sub(expm1(x), x),
}

/** What is compared: each token's own, or one of the row for all its tokens. */
export type DriftLevel = 'token' | 'sum' | 'mean' | 'max'

const levels: { readonly [L in DriftLevel]: (mask: Mask) => (x: Tensor<Tokens>) => Tensor<Tokens> } = {
  token: () => (x) => x,
  sum: () => (x) => pipe(x, sum('time'), broadcastLike(x)),
  mean: (mask) => (x) => pipe(x, rowsOf({ count: 'tokens' })(mask), broadcastLike(x)),
  max: (mask) => (x) => pipe(x, maskedMax(mask, 'time'), broadcastLike(x)),
}

/** A rule by which tokens are left out whose policy has drifted from the engine that sampled them. */
export interface Rejection {
  readonly statistic: DriftStatistic
  readonly level: DriftLevel
  /** Bounds on the statistic, in nats, both included. Without `least` there is no lower bound. */
  readonly least?: Setting
  readonly most: Setting
}

const keeps =
  (logRatio: Tensor<Tokens>, mask: Mask) =>
  ({ statistic, level, least, most }: Rejection): Mask => {
    const value = levels[level](mask)(statistics[statistic](logRatio))
    const below = lessEqual(value, toScalar(most))
    return least === undefined ? below : and(below, lessEqual(toScalar(least), value))
  }

/**
 * The response tokens that every rule keeps: a smaller response mask. `logRatio` is log π − log μ in nats. No gradient: it is data.
 * Source: verl `compute_rollout_rejection_mask`; as a row's mean of k1 with advantages below 0, DeepSeek-V3.2, arXiv:2512.02556.
 */
export const keptTokens =
  (rules: readonly Rejection[]) =>
  (logRatio: Tensor<Tokens>, mask: Mask): Mask => {
    const entered = pipe(stopGradient(logRatio), responseOnly(mask))
    return rules.map(keeps(entered, mask)).reduce(and, mask)
  }
