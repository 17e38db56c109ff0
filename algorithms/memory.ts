import { pipe } from 'fp-ts/lib/function.js'
import { add, exp, gather, greaterEqual, maskedMean, maximum, select, sub, type Tensor } from '../dsl/index.js'
import type { Tokens } from './batch.js'

/**
 * How likely a model finds an answer: the geometric mean of the probabilities of its tokens.
 *
 *   P = exp( Σ_answer m·log p / max(Σ_answer m, 1) )
 *
 * The mask has a row's answer; an answer without tokens has P = 1. Gradient: into the log-probabilities, inside the mask.
 */
export const answerProbability =
  (answerMask: Tensor<'batch' | 'answer', 'bool'>) =>
  (logProbs: Tensor<'batch' | 'turn' | 'answer'>): Tensor<'batch' | 'turn'> =>
    exp(pipe(logProbs, maskedMean(answerMask, 'answer')))

/** What a row's memory is worth at each turn: the answer's probability after the memory alone, less that after the whole history. Both are data. */
export const memoryRewards = (
  answerGivenMemory: Tensor<'batch' | 'turn' | 'answer'>,
  answerGivenHistory: Tensor<'batch' | 'turn' | 'answer'>,
  answerMask: Tensor<'batch' | 'answer', 'bool'>,
): Tensor<'batch' | 'turn'> => {
  const probability = answerProbability(answerMask)
  return sub(probability(answerGivenMemory), probability(answerGivenHistory))
}

/** For each token, the value of the turn whose memory it writes; 0 for a token that writes none, which has turn −1. */
export const onSpans =
  (spanTurn: Tensor<Tokens, 'i32'>) =>
  (perTurn: Tensor<'batch' | 'turn'>): Tensor<Tokens> =>
    select(greaterEqual(spanTurn, 0), pipe(perTurn, gather('turn')(maximum(spanTurn, 0))), 0)

/** A = A_outcome + A_memory: the outcome's advantage at each token, and on the tokens that write a turn's memory that memory's own. */
export const withMemory = (outcome: Tensor<'batch'>, memory: Tensor<'batch' | 'turn'>, spanTurn: Tensor<Tokens, 'i32'>): Tensor<Tokens> =>
  add(outcome, pipe(memory, onSpans(spanTurn)))
