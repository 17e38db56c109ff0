import { pipe } from 'fp-ts/lib/function.js'
import { mul, neg, type Scalar, sub, type Tensor } from '../dsl/index.js'
import { aggregate, type Aggregation, tokenMean } from './aggregate.js'
import { type PolicyBatch, responseTokens, type SurrogateBatch, surrogateTokens, type Tokens } from './batch.js'
import { klEstimates, type KlName } from './kl.js'
import { policyRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'

/** What the losses of this family share: all but their surrogate. */
export interface ObjectiveConfig {
  /** Weight of the KL term, in 1/nat. The number 0 drops the reference policy: a batch need not have its log-probabilities then. */
  readonly beta: Setting
  /** The estimate of the KL: `k3` if not said. */
  readonly kl?: KlName
  /** What the KL of a token is multiplied by: nothing if not said, or the ratio, with its gradient, which mends the estimate off policy. */
  readonly klWeight?: 'one' | 'ratio'
  /** How tokens become one number: `tokenMean` if not said. */
  readonly aggregation?: Aggregation
  /** Clamp log r to ± this many nats before the exponential; not if not said. */
  readonly logRatioLimit?: Setting
}

/** What a loss of these settings reads: with the number 0 as β no reference policy. */
export type BatchFor<C extends ObjectiveConfig, A extends Tokens = 'batch'> = C['beta'] extends 0 ? SurrogateBatch<A> : PolicyBatch<A>

/** A loss of these settings. */
export type LossFor<C extends ObjectiveConfig> = <A extends Tokens>(batch: BatchFor<C, A>) => Scalar

/** Whether the settings have a reference policy, which `BatchFor` asks the batch for. */
const isAnchored = <A extends Tokens>({ beta }: ObjectiveConfig, _batch: SurrogateBatch<A>): _batch is PolicyBatch<A> => beta !== 0

/** The KL estimate at each token, under its weight, without β. */
export const klOf =
  ({ kl = 'k3', klWeight = 'one', logRatioLimit }: Pick<ObjectiveConfig, 'kl' | 'klWeight' | 'logRatioLimit'>) =>
  (tokens: PolicyBatch<Tokens>): Tensor<Tokens> => {
    const estimate = klEstimates[kl](tokens.logProbs, tokens.refLogProbs)
    return klWeight === 'one' ? estimate : mul(estimate, policyRatio(tokens, logRatioLimit))
  }

/** w·s − β·KL at each token: the surrogate under its rollout weight, less the price of leaving the reference. */
const penalised =
  (config: Omit<ObjectiveConfig, 'aggregation'>) =>
  (surrogate: Tensor<Tokens>, tokens: SurrogateBatch<Tokens>): Tensor<Tokens> => {
    const weighted = tokens.rolloutWeights === undefined ? surrogate : mul(tokens.rolloutWeights, surrogate)
    return isAnchored(config, tokens) ? sub(weighted, mul(toScalar(config.beta), klOf(config)(tokens))) : weighted
  }

/** What a loss of this family maximises at each token, once the tokens have passed the entrance. */
export type Surrogate = (tokens: SurrogateBatch<Tokens>) => Tensor<Tokens>

/**
 * The loss of a surrogate: L = −agg over response tokens of [ w·s − β·KL ].
 *
 * Gradient: through `logProbs` alone, inside the mask alone; the other fields are data. A batch without response tokens gives 0.
 */
export const surrogateLoss =
  <C extends ObjectiveConfig>(config: C, surrogate: Surrogate): LossFor<C> =>
  <A extends Tokens>(batch: SurrogateBatch<A>): Scalar => {
    const tokens = isAnchored(config, batch) ? responseTokens(batch) : surrogateTokens(batch)
    return pipe(penalised(config)(surrogate(tokens), tokens), aggregate(config.aggregation ?? tokenMean)(tokens.responseMask), neg)
  }
