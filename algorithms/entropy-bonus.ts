import { pipe } from 'fp-ts/lib/function.js'
import { mul, neg, type Scalar, type Tensor } from '../dsl/index.js'
import { type Aggregation, tokenMean } from './aggregate.js'
import type { Tokens } from './batch.js'
import { meanEntropy } from './metrics.js'
import { type Setting, toScalar } from './setting.js'

export interface EntropyBonusConfig {
  /** What a nat of entropy is worth, in the units of the loss. */
  readonly coefficient: Setting
  /** How tokens become one number: `tokenMean` if not said. */
  readonly aggregation?: Aggregation
}

/** What the entropy bonus reads. */
export interface EntropyBatch {
  /** Of the policy's distribution at each place, in nats (`entropy` of its logits). */
  readonly entropies: Tensor<Tokens>
  readonly responseMask: Tensor<Tokens, 'bool'>
}

/**
 * −c·agg over response tokens of the entropy: added to a policy's loss it keeps the policy from deciding too soon.
 *
 * Gradient: into `entropies`, inside the mask alone. A batch without response tokens gives 0.
 * Source: arXiv:1602.01783, section 4; PPO, arXiv:1707.06347, eq. 9.
 */
export const entropyBonus =
  ({ coefficient, aggregation = tokenMean }: EntropyBonusConfig) =>
  ({ entropies, responseMask }: EntropyBatch): Scalar =>
    pipe(entropies, meanEntropy(aggregation)(responseMask), (mean) => neg(mul(toScalar(coefficient), mean)))
