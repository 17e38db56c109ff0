import { pipe } from 'fp-ts/lib/function.js'
import { exp, mean, neg, type Scalar, stopGradient, sub, type Tensor } from '../dsl/index.js'
import { clippedSurrogate, type ClipRange } from './surrogate.js'

/** Whole responses: log π(response), the sum over its tokens, in nats. */
export interface SequenceBatch {
  /** Of the policy being trained: the only field that a gradient flows into. */
  readonly logProbs: Tensor<'batch'>
  readonly oldLogProbs: Tensor<'batch'>
  readonly advantages: Tensor<'batch'>
}

export interface RlooConfig {
  readonly clip: ClipRange
}

/**
 * REINFORCE leave-one-out as PPO's clipped surrogate of whole responses, each one action:
 *
 *   L = −mean over rows of min(w·A, clip(w, 1−ε, 1+ε)·A),   w = π(response)/π_old(response)
 *
 * w is a product over tokens: it leaves the clip's range the sooner the longer a response. Gradient: through `logProbs` alone.
 * Source: Back to Basics, arXiv:2402.14740; TRL rloo_trainer.py.
 */
export const rlooLoss =
  ({ clip }: RlooConfig) =>
  ({ logProbs, oldLogProbs, advantages }: SequenceBatch): Scalar => {
    const ratio = exp(sub(logProbs, stopGradient(oldLogProbs)))
    return neg(pipe(clippedSurrogate(clip)(ratio, stopGradient(advantages)), mean('batch')))
  }
