import { pipe } from 'fp-ts/lib/function.js'
import { mul, neg, type Scalar, sub, type Tensor } from '../dsl/index.js'
import { aggregate, type Aggregation, tokenMean } from './aggregate.js'
import { type PolicyBatch, responseTokens, type SurrogateBatch, type Tokens } from './batch.js'
import { klEstimates, type KlName } from './kl.js'
import { type Setting, toScalar } from './setting.js'

/** What the losses of this family share: all but their surrogate. */
export interface ObjectiveConfig {
  /** Weight of the KL term, in 1/nat. The number 0 drops the reference policy. */
  readonly beta: Setting
  /** The estimate of the KL: `k3` if not said. */
  readonly kl?: KlName
  /** How tokens become one number: `tokenMean` if not said. */
  readonly aggregation?: Aggregation
  /** Clamp log r to ± this many nats before the exponential; not if not said. */
  readonly logRatioLimit?: Setting
}

/** The KL estimate at each token, unweighted. */
export const klOf =
  ({ kl = 'k3' }: Pick<ObjectiveConfig, 'kl'>) =>
  ({ logProbs, refLogProbs }: PolicyBatch<Tokens>): Tensor<Tokens> =>
    klEstimates[kl](logProbs, refLogProbs)

/** w·s − β·KL at each token: the surrogate under its rollout weight, less the price of leaving the reference. */
export const penalised =
  (config: Pick<ObjectiveConfig, 'beta' | 'kl'>) =>
  (surrogate: Tensor<Tokens>, tokens: PolicyBatch<Tokens>): Tensor<Tokens> => {
    const weighted = tokens.rolloutWeights === undefined ? surrogate : mul(tokens.rolloutWeights, surrogate)
    return config.beta === 0 ? weighted : sub(weighted, mul(toScalar(config.beta), klOf(config)(tokens)))
  }

/** What a loss of this family maximises at each token, once the tokens have passed the entrance. */
export type Surrogate = (tokens: SurrogateBatch<Tokens>) => Tensor<Tokens>

/**
 * The loss of a surrogate: L = −agg over response tokens of [ w·s − β·KL ].
 *
 * Gradient: through `logProbs` alone, inside the mask alone; the other fields are data. A batch without response tokens gives 0.
 */
export const surrogateLoss =
  (config: ObjectiveConfig, surrogate: Surrogate) =>
  <A extends Tokens>(batch: PolicyBatch<A>): Scalar => {
    const tokens = responseTokens(batch)
    return pipe(penalised(config)(surrogate(tokens), tokens), aggregate(config.aggregation ?? tokenMean)(tokens.responseMask), neg)
  }
