import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  clip,
  countTrue,
  div,
  greater,
  maskedMax,
  maskedMin,
  maximum,
  mul,
  recip,
  type Scalar,
  select,
  sqrt,
  sub,
  type Tensor,
} from '../dsl/index.js'
import { aggregate, type Aggregation } from './aggregate.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/** What importance weights look like, over response tokens; to watch, not to descend. */
export interface WeightStatistics {
  readonly mean: Scalar
  /** ∞ of no tokens, and the most −∞. */
  readonly least: Scalar
  readonly most: Scalar
  /** The standard deviation of the weights, those beyond 1/bound and bound set to it. */
  readonly deviation: Scalar
  /** How many equally weighted samples the weights are worth, of each: 1 / mean (w / mean w)², of weights within the bound; 0 of no tokens. */
  readonly effectiveSampleSize: Scalar
}

export interface WeightStatisticsConfig {
  readonly bound: Setting
  /** How the means are taken: `tokenMean`, or one with verl's ε in the divisor. */
  readonly aggregation: Aggregation
  /** Added to the mean that weights are divided by; 0 if not said. */
  readonly epsilon?: number
}

export const weightStatistics =
  ({ bound, aggregation, epsilon = 0 }: WeightStatisticsConfig) =>
  (weights: Tensor<Tokens>, mask: Tensor<Tokens, 'bool'>): WeightStatistics => {
    const most = toScalar(bound)
    const bounded = pipe(weights, clip(recip(most), most))
    const mean = aggregate(aggregation)(mask)
    const centre = mean(bounded)
    const hasToken = greater(pipe(mask, countTrue('batch', 'time')), 0)
    const relative = div(bounded, add(centre, epsilon))
    return {
      mean: mean(weights),
      least: pipe(weights, maskedMin(mask, 'batch', 'time')),
      most: pipe(weights, maskedMax(mask, 'batch', 'time')),
      deviation: sqrt(maximum(sub(mean(mul(bounded, bounded)), mul(centre, centre)), 0)),
      effectiveSampleSize: select(hasToken, recip(mean(mul(relative, relative))), 0),
    }
  }
