import { pipe } from 'fp-ts/lib/function.js'
import { add, clip, exp, less, mul, type Scalar, select, stopGradient, sub, sum, type Tensor } from '../dsl/index.js'
import type { Tokens } from './batch.js'
import { type BatchFor, type ObjectiveConfig, surrogateLoss } from './objective.js'
import { logRatio } from './ratio.js'
import { type Setting, toScalar } from './setting.js'

/** φ(W) = e^λ·W^k·e^(−λW): 1 at W = 1, greatest at W = k/λ, and falling to 0 on both sides. */
export interface GammaShape {
  readonly k: Setting
  readonly lambda: Setting
}

export interface VespoConfig extends Omit<ObjectiveConfig, 'logRatioLimit'> {
  /** Where A ≥ 0, and where A < 0. The paper has k, λ = 2, 3 and 3, 2. */
  readonly positive: GammaShape
  readonly negative: GammaShape
  /** Whether the gradient goes through the weight as well; not if not said. TRL's documentation has it stopped, its function lets it pass. */
  readonly throughWeight?: boolean
}

/** log 10⁻⁸ and 20: beyond, the weight no longer changes. */
const [leastLog, mostLog] = [Math.log(1e-8), 20]

/**
 * The weight of a row, W being how much likelier its response became; `rolloutLogWeights` is a row's log weight of its rollout engine, in
 * nats, 0 if not said. A log-ratio counts to ±20. Gradient: into the log-ratios.
 */
export const gammaWeights =
  ({ positive, negative }: Pick<VespoConfig, 'positive' | 'negative'>) =>
  (logRatios: Tensor<Tokens>, advantages: Tensor<'batch'>, rolloutLogWeights?: Tensor<'batch'>): Tensor<'batch'> => {
    const own = pipe(logRatios, clip(-mostLog, mostLog), sum('time'))
    const log = pipe(rolloutLogWeights === undefined ? own : add(own, rolloutLogWeights), clip(leastLog, mostLog))
    const isNegative = less(advantages, 0)
    const of = (field: keyof GammaShape): Tensor<'batch'> => select(isNegative, toScalar(negative[field]), toScalar(positive[field]))
    const lambda = of('lambda')
    return exp(sub(add(lambda, mul(of('k'), log)), mul(lambda, exp(log))))
  }

/** A batch of responses; `rolloutLogWeights` are the log weights of their rollout engine, in nats, which become part of W and not a factor beside it. */
export type VespoBatch<C extends ObjectiveConfig = ObjectiveConfig> = BatchFor<C> & {
  readonly rolloutLogWeights?: Tensor<'batch'>
}

/**
 * VESPO: the plain policy gradient under a smooth weight of the whole response, in place of a clip.
 *
 *   L = −agg over response tokens of [ sg(φ(W))·A·log π − β·KL ],   W = exp Σ m·log r
 *
 * Gradient: φ·A into log π, through `logProbs` alone, inside the mask alone; with `throughWeight` also that of φ by W. Source: TRL `get_gamma_weights`.
 */
export const vespoLoss =
  <const C extends VespoConfig>(config: C) =>
  (batch: VespoBatch<C>): Scalar => {
    const { advantages, rolloutLogWeights }: Pick<VespoBatch, 'advantages' | 'rolloutLogWeights'> = batch
    const weights = (ratios: Tensor<Tokens>): Tensor<'batch'> => gammaWeights(config)(ratios, advantages, rolloutLogWeights)
    return surrogateLoss(config, (tokens) => {
      const ratios = logRatio(tokens)
      return mul(mul(tokens.logProbs, tokens.advantages), weights(config.throughWeight === true ? ratios : stopGradient(ratios)))
    })<'batch'>(batch)
  }
