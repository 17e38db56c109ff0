import { pipe } from 'fp-ts/lib/function.js'
import { add, exp, gather, greaterEqual, maskedMean, maximum, select, sub, type Tensor, where } from '../dsl/index.js'
import type { Tokens } from './batch.js'

type Mask = Tensor<'batch' | 'answer', 'bool'>
type Probes = Tensor<'batch' | 'turn' | 'answer'>
type Turns = Tensor<'batch' | 'turn'>

/**
 * How the probabilities of an answer's tokens become one. `geometric`: exp( Σ m·log p / max(Σ m, 1) ), by which an unlikely token counts as
 * it would for the whole answer; 1 of no tokens. `arithmetic`: Σ m·p / max(Σ m, 1), which is never less; 0 of no tokens.
 */
export type AnswerMean = 'geometric' | 'arithmetic'

const means: { readonly [M in AnswerMean]: (mask: Mask) => (logProbs: Probes) => Turns } = {
  geometric: (mask) => (logProbs) => exp(pipe(logProbs, maskedMean(mask, 'answer'))),
  arithmetic: (mask) => (logProbs) => pipe(logProbs, where(mask), exp, maskedMean(mask, 'answer')),
}

/** How likely a model finds an answer, from log p of each of its tokens, in nats. Gradient: into the log-probabilities, inside the mask. */
export const answerProbability = (answerMask: Mask, mean: AnswerMean = 'geometric'): ((logProbs: Probes) => Turns) =>
  means[mean](answerMask)

/** What a model said of the answer to a row's question at each turn: log p of its tokens, in nats. */
export interface MemoryProbes {
  /** After the memory alone. */
  readonly givenMemory: Probes
  /** After the whole history. Where it is left out, a memory is worth the answer's probability itself. */
  readonly givenHistory?: Probes
  readonly answerMask: Mask
}

/** What a row's memory is worth at each turn: the answer's probability after the memory alone, less that after the whole history. */
export const memoryRewards =
  (mean: AnswerMean = 'geometric') =>
  ({ givenMemory, givenHistory, answerMask }: MemoryProbes): Turns => {
    const probability = answerProbability(answerMask, mean)
    return givenHistory === undefined ? probability(givenMemory) : sub(probability(givenMemory), probability(givenHistory))
  }

/** For each token, the value of the turn whose memory it writes; 0 for a token that writes none, which has turn −1. */
export const onSpans =
  (spanTurn: Tensor<Tokens, 'i32'>) =>
  (perTurn: Tensor<'batch' | 'turn'>): Tensor<Tokens> =>
    select(greaterEqual(spanTurn, 0), pipe(perTurn, gather('turn')(maximum(spanTurn, 0))), 0)

/** A = A_outcome + A_memory: the outcome's advantage at each token, and on the tokens that write a turn's memory that memory's own. */
export const withMemory = (outcome: Tensor<'batch'>, memory: Tensor<'batch' | 'turn'>, spanTurn: Tensor<Tokens, 'i32'>): Tensor<Tokens> =>
  add(outcome, pipe(memory, onSpans(spanTurn)))
