import { pipe } from 'fp-ts/lib/function.js'
import { countAlong, div, neg, type Scalar, stopGradient, sub, sum, type Tensor } from '../dsl/index.js'
import { boundedExp } from './exponent.js'
import { type Setting, toScalar } from './setting.js'
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
  /** What the sum over rows is divided by, as the rows of all the micro-batches of a step; the number of rows if not said. */
  readonly across?: Setting
}

/**
 * REINFORCE leave-one-out as PPO's clipped surrogate of whole responses, each one action:
 *
 *   L = −mean over rows of min(w·A, clip(w, 1−ε, 1+ε)·A),   w = π(response)/π_old(response)
 *
 * w is a product over tokens, counted to e⁸⁰: it leaves the clip's range the sooner the longer a response. Gradient: through `logProbs` alone.
 * Source: Back to Basics, arXiv:2402.14740; TRL rloo_trainer.py.
 */
export const rlooLoss =
  ({ clip, across }: RlooConfig) =>
  ({ logProbs, oldLogProbs, advantages }: SequenceBatch): Scalar => {
    const ratio = boundedExp(sub(logProbs, stopGradient(oldLogProbs)))
    const rows = across === undefined ? pipe(logProbs, countAlong('batch')) : toScalar(across)
    return neg(div(pipe(clippedSurrogate(clip)(ratio, stopGradient(advantages)), sum('batch')), rows))
  }
