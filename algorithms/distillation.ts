import { pipe } from 'fp-ts/lib/function.js'
import { div, exp, less, logSoftmax, mul, type Scalar, select, stopGradient, sub, sum, type Tensor, where } from '../dsl/index.js'
import { aggregate, type Aggregation, tokenMean } from './aggregate.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

const leastFloat = -3.4028234663852886e38

/**
 * KL(p‖q) = Σ p·(log p − log q) over the axis, in nats, of p = softmax(logits) and q = softmax(others): never below 0, ∞ where q cannot say
 * what p can. What p cannot say, its logit being −∞, adds nothing to value and gradient. Gradient: into both.
 */
export const categoricalKl =
  <N extends string>(axis: N) =>
  <A extends string>(logits: Tensor<A | N>, others: Tensor<A | N>): Tensor<Exclude<A, N>> => {
    const [p, q] = [logSoftmax(axis)<A>(logits), logSoftmax(axis)<A>(others)]
    return pipe(mul(exp(p), select(less(p, leastFloat), 0, sub(p, q))), sum(axis))
  }

/** What a student and its teacher say of the same tokens. */
export interface DistillationBatch {
  /** Of the policy being trained: the only field that a gradient flows into. */
  readonly logits: Tensor<Tokens | 'vocab'>
  /** Data. */
  readonly teacherLogits: Tensor<Tokens | 'vocab'>
  readonly responseMask: Tensor<Tokens, 'bool'>
}

export interface DistillationConfig {
  /** T: above 1 it shows the student what the teacher finds unlikely, too. 1 if not said. */
  readonly temperature?: Setting
  /** How tokens become one number: `tokenMean` if not said. */
  readonly aggregation?: Aggregation
}

/**
 * Distillation: the student's distribution of each token is drawn to the teacher's.
 *
 *   L = T²·agg over response tokens of KL(softmax(teacher/T) ‖ softmax(student/T))
 *
 * T² keeps the gradient's size as T grows. With the labels, `weightedLosses` of this and of `likelihoodLoss`.
 * Gradient: through `logits` alone, inside the mask alone. A batch without response tokens gives 0. A token's loss depends on no other token,
 * nor on padding.
 * Source: arXiv:1503.02531, section 2; MiniMind train_distillation.py:distillation_loss.
 */
export const distillationLoss =
  ({ temperature = 1, aggregation = tokenMean }: DistillationConfig) =>
  ({ logits, teacherLogits, responseMask }: DistillationBatch): Scalar => {
    const t = toScalar(temperature)
    const tempered = (x: Tensor<Tokens | 'vocab'>): Tensor<Tokens | 'vocab'> => div(pipe(x, where(responseMask)), t)
    const kl = categoricalKl('vocab')(tempered(stopGradient(teacherLogits)), tempered(logits))
    return mul(mul(t, t), pipe(kl, aggregate(aggregation)(responseMask)))
  }
