import { pipe } from 'fp-ts/lib/function.js'
import { add, mul, type Scalar } from '../dsl/index.js'
import { aggregate, type Aggregation } from './aggregate.js'
import { type SurrogateBatch, surrogateTokens, type Tokens } from './batch.js'
import { type GrpoConfig, grpoLoss } from './grpo.js'
import { klEstimates, type KlName } from './kl.js'
import type { BatchFor } from './objective.js'
import { type Setting, toScalar } from './setting.js'
import { type ValueBatch, type ValueConfig, valueLoss } from './value.js'

export interface PpoConfig<C extends GrpoConfig = GrpoConfig> {
  readonly policy: C
  readonly value: ValueConfig
  /** Weight of the critic's loss. */
  readonly valueCoefficient: Setting
}

/**
 * Proximal Policy Optimization with a critic: L = L_policy + c·L_value, of a clipped surrogate with advantages per token and a clipped
 * squared error. Gradient: into the policy's `logProbs` and the critic's `values`. Source: arXiv:1707.06347, eq. 9, without its entropy bonus.
 */
export const ppoLoss =
  <const C extends GrpoConfig>({ policy, value, valueCoefficient }: PpoConfig<C>) =>
  (tokens: BatchFor<C, Tokens>, values: ValueBatch): Scalar =>
    add(grpoLoss(policy)<Tokens>(tokens), mul(toScalar(valueCoefficient), pipe(values, valueLoss(value))))

/**
 * How far the policy has gone since it sampled: an estimate of KL(π_old‖π) in nats, meant over response tokens.
 *
 *   k2, if not said: ½·mean (log π − log π_old)²;   k1: mean log π_old − log π;   k3: mean r − 1 − log r
 *
 * Where it is above a limit a trainer stops: not only the loss but the step, or an optimizer's momentum would move the weights all the same.
 */
export const approximateKl =
  (aggregation: Aggregation, kl: KlName = 'k2') =>
  <A extends Tokens>(batch: SurrogateBatch<A>): Scalar => {
    const { logProbs, oldLogProbs, responseMask } = surrogateTokens(batch)
    return pipe(klEstimates[kl](oldLogProbs, logProbs), aggregate(aggregation)(responseMask))
  }

/** Whether a step shall be skipped: the approximate KL is above the limit, or is no number. */
export const isTooFar = (approximate: number, limit: number): boolean => !(approximate <= limit)
