import { pipe } from 'fp-ts/lib/function.js'
import { maximum, mul, neg, type Scalar, select, sigmoid, stopGradient, sub, type Tensor } from '../../dsl/index.js'
import { type Setting, toScalar } from '../setting.js'
import { type MeanSettings, type ReferencedResponse, rowMean } from './pairs.js'
import { sequenceLogRatio } from './sequences.js'

/** Single responses, each judged good or bad. */
export interface KtoBatch extends ReferencedResponse {
  readonly desirable: Tensor<'batch', 'bool'>
  /** z₀, in nats: what a log-ratio is compared with (`ktoBaseline`). Data; 0 leaves it out. */
  readonly baseline: Setting
}

export interface KtoConfig extends MeanSettings {
  /** How soon the value saturates, in 1/nat. */
  readonly beta: Setting
  /** λ_D and λ_U, 1 if not said. λ_D·n_D / (λ_U·n_U) between 1 and 4/3 is the paper's advice. */
  readonly desirableWeight?: Setting
  readonly undesirableWeight?: Setting
}

/**
 * The reference point of KTO, max(0, mean over rows of Σ log π − log π_ref): an estimate of KL(π‖π_ref) from responses that do not belong to
 * their prompts, as those of the next row. 0 of no response. Gradient: none.
 */
export const ktoBaseline = (mismatched: ReferencedResponse): Scalar =>
  stopGradient(maximum(pipe(sequenceLogRatio(mismatched), rowMean({})(mismatched.responseMask)), 0))

/**
 * Kahneman-Tversky Optimization: a good response is worth how far it lies above a reference point, a bad one how far below, and both
 * saturate.
 *
 *   L = mean over rows of λ_D·(1 − σ(β·(s − z₀))) if desirable, λ_U·(1 − σ(β·(z₀ − s))) if not,   s = Σ log π − log π_ref
 *
 * Gradient: through `logProbs` alone, inside the mask alone. Rows without a response token are not counted; a batch of them gives 0.
 * A row's loss depends on no other row but through the baseline, nor on padding.
 * Source: arXiv:2402.01306, section 4.
 */
export const ktoLoss =
  ({ beta, desirableWeight = 1, undesirableWeight = 1, ...settings }: KtoConfig) =>
  (batch: KtoBatch): Scalar => {
    const gain = mul(toScalar(beta), sub(sequenceLogRatio(batch), stopGradient(toScalar(batch.baseline))))
    const lost = select(
      batch.desirable,
      mul(toScalar(desirableWeight), sigmoid(neg(gain))),
      mul(toScalar(undesirableWeight), sigmoid(gain)),
    )
    return pipe(lost, rowMean(settings)(batch.responseMask))
  }
