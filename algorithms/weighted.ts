import { add, mul, type Scalar } from '../dsl/index.js'
import { type Setting, toScalar } from './setting.js'

/** A loss of a batch and how much of it. */
export interface WeightedLoss<B> {
  readonly weight: Setting
  readonly loss: (batch: B) => Scalar
}

/**
 * Σ wᵢ·Lᵢ, several losses of one batch as one. Where they read different fields, the batch has those of all: say its type,
 * `weightedLosses<DistillationBatch & ScoredResponse>(…)`. Gradient: the same sum of the gradients.
 *
 * So are made MPO, of DPO, BCO and the likelihood of the chosen responses (arXiv:2411.10442), and distillation beside the labels.
 */
export const weightedLosses =
  <B>(first: WeightedLoss<B>, ...others: readonly WeightedLoss<B>[]) =>
  (batch: B): Scalar =>
    [first, ...others].map(({ weight, loss }): Scalar => mul(toScalar(weight), loss(batch))).reduce((sum, term): Scalar => add(sum, term))
