import { mul } from '../dsl/index.js'
import { type LossFor, type ObjectiveConfig, surrogateLoss } from './objective.js'

/**
 * REINFORCE: L = −agg over response tokens of [ A·log π − β·KL ]. The old log-probabilities are not read.
 *
 * Gradient: A into log π, through `logProbs` alone, inside the mask alone; the value is no distance to anything.
 * Source: Williams, Machine Learning 8 (1992); with GPG's advantages it is GPG, arXiv:2504.02546.
 */
export const reinforceLoss = <const C extends Omit<ObjectiveConfig, 'logRatioLimit'>>(config: C): LossFor<C> =>
  surrogateLoss(config, ({ advantages, logProbs }) => mul(advantages, logProbs))
