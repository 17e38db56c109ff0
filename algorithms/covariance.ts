import { pipe } from 'fp-ts/lib/function.js'
import {
  abs,
  and,
  countTrue,
  floor,
  less,
  maskedMean,
  maximum,
  mul,
  not,
  randomUniform,
  ranks,
  type Scalar,
  select,
  sizeAlong,
  stopGradient,
  sub,
  type Tensor,
  toI32,
} from '../dsl/index.js'
import type { SurrogateBatch, Tokens } from './batch.js'
import { type LossFor, type ObjectiveConfig, type Surrogate, surrogateLoss } from './objective.js'
import { logRatio, policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'
import { clippedGain, clippedSurrogate, type ClipRange } from './surrogate.js'

type Mask = Tensor<Tokens, 'bool'>

/** (A − mean A)·(log π − mean log π) at each token, the means over response tokens: what a step along it takes from the entropy. Data. */
export const covariances = ({ advantages, logProbs, responseMask }: SurrogateBatch<Tokens>): Tensor<Tokens> => {
  const centred = (x: Tensor<Tokens>): Tensor<Tokens> => sub(x, pipe(x, maskedMean(responseMask, 'batch', 'time')))
  return stopGradient(mul(centred(advantages), centred(logProbs)))
}

/** ⌊share·n⌋ of the n tokens of a mask, at least 1. */
const countOf = (share: Setting, mask: Mask): Scalar<'i32'> =>
  toI32(maximum(floor(mul(pipe(mask, countTrue('batch', 'time')), toScalar(share))), 1))

export interface KlCovConfig extends Omit<ObjectiveConfig, 'logRatioLimit'> {
  /** The share of response tokens, those of the greatest covariance, that are penalised: at least one token. */
  readonly share: Setting
  /** Weight of their |log r|, in 1/nat. */
  readonly coefficient: Setting
}

/** Which tokens KL-Cov penalises. */
export const greatestCovariances =
  (share: Setting) =>
  (tokens: SurrogateBatch<Tokens>): Mask => {
    const { responseMask } = tokens
    const order = pipe(select(responseMask, covariances(tokens), -Infinity), ranks('batch', 'time', 'descending'))
    return and(responseMask, less(order, countOf(share, responseMask)))
  }

const klCovSurrogate =
  ({ share, coefficient }: KlCovConfig): Surrogate =>
  (tokens) => {
    const gain = mul(policyRatio(tokens), tokens.advantages)
    const penalty = mul(abs(logRatio(tokens)), toScalar(coefficient))
    return sub(gain, select(greatestCovariances(share)(tokens), penalty, 0))
  }

/**
 * KL-Cov: the plain policy gradient, but for the tokens that would cost most entropy, which are held back by the distance they have gone.
 *
 *   L = −agg over response tokens of [ r·A − c·|log r| where the covariance is among the greatest − β·KL ]
 *
 * Gradient: through `logProbs` alone, inside the mask alone; the choice is data. It depends on the whole batch.
 * Source: The Entropy Mechanism of RL for Reasoning LMs, arXiv:2505.22617.
 */
export const klCovLoss = <const C extends KlCovConfig>(config: C): LossFor<C> => surrogateLoss(config, klCovSurrogate(config))

export interface ClipCovConfig extends Omit<ObjectiveConfig, 'logRatioLimit'> {
  readonly clip: ClipRange
  /** The share of response tokens, drawn among the candidates, that get no gradient: at least one token. */
  readonly share: Setting
  /** Bounds on the covariance of a candidate, both left out. */
  readonly least: Setting
  readonly most: Setting
  /** Serves this draw alone. */
  readonly key: Tensor<'word', 'u32'>
}

/** Which tokens Clip-Cov leaves without a gradient: drawn from those whose covariance lies within the bounds and that PPO did not clip. */
export const drawnCovariances =
  ({ clip, share, least, most, key }: Omit<ClipCovConfig, keyof ObjectiveConfig>) =>
  (tokens: SurrogateBatch<Tokens>): Mask => {
    const { advantages, responseMask } = tokens
    const ratio = policyRatio(tokens)
    const clipped = less(clippedGain(clip)(ratio, advantages), mul(ratio, advantages))
    const covariance = covariances(tokens)
    const within = and(less(toScalar(least), covariance), less(covariance, toScalar(most)))
    const candidates = and(and(responseMask, not(clipped)), within)
    const sizes = { batch: sizeAlong('batch')(ratio), time: sizeAlong('time')(ratio) }
    const chance = select(candidates, pipe(key, randomUniform(sizes)), 1)
    return and(candidates, less(pipe(chance, ranks('batch', 'time', 'ascending')), countOf(share, responseMask)))
  }

const clipCovSurrogate =
  (config: ClipCovConfig): Surrogate =>
  (tokens) => {
    const gain = clippedSurrogate(config.clip)(policyRatio(tokens), tokens.advantages)
    return select(drawnCovariances(config)(tokens), 0, gain)
  }

/**
 * Clip-Cov: PPO's clipped surrogate, from which a few tokens, drawn among those of great covariance, are left out.
 *
 *   L = −agg over response tokens of [ 0 where drawn, else min(r·A, clip(r, 1−ε, 1+ε)·A) − β·KL ]
 *
 * Gradient: through `logProbs` alone, inside the mask alone; the draw is data. It depends on the whole batch.
 * Source: The Entropy Mechanism of RL for Reasoning LMs, arXiv:2505.22617.
 */
export const clipCovLoss = <const C extends ClipCovConfig>(config: C): LossFor<C> => surrogateLoss(config, clipCovSurrogate(config))
