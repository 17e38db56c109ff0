import { pipe } from 'fp-ts/lib/function.js'
import { countTrue, greater, mul, or, type Scalar, stopGradient, type Tensor, where } from '../../dsl/index.js'
import { acrossRows, type Aggregation } from '../aggregate.js'
import type { Tokens } from '../batch.js'

/** One for each of the two responses to a prompt. */
export interface Pair<X> {
  /** Of the response that was preferred. */
  readonly chosen: X
  readonly rejected: X
}

export const mapPair =
  <X, Y>(f: (x: X) => Y) =>
  ({ chosen, rejected }: Pair<X>): Pair<Y> => ({ chosen: f(chosen), rejected: f(rejected) })

/** A response a row, and how likely the policy finds it. */
export interface ScoredResponse {
  /** log π(token), in nats, of the policy being trained: the only field that a gradient flows into. */
  readonly logProbs: Tensor<Tokens>
  /** Which tokens are of the response: not the prompt, not padding. */
  readonly responseMask: Tensor<Tokens, 'bool'>
}

/** A scored response, and how likely the policy to stay close to finds it. */
export interface ReferencedResponse extends ScoredResponse {
  /** log π_ref(token), in nats. Data. */
  readonly refLogProbs: Tensor<Tokens>
}

/**
 * Pairs of responses: row b of one and row b of the other answer one prompt. Both are padded to one width, on whichever side. A row in
 * which neither has a token is padding: it adds nothing to a loss, and no mean counts it.
 */
export interface PreferenceBatch<R extends ScoredResponse = ReferencedResponse> extends Pair<R> {
  /** A factor of each pair's loss: see `wpoWeights`. Data. */
  readonly weights?: Tensor<'batch'>
}

/** Where one response or the other has a token: a row in which none does is no pair. */
export const pairTokens = ({ chosen, rejected }: Pair<Pick<ScoredResponse, 'responseMask'>>): Tensor<Tokens, 'bool'> =>
  or(chosen.responseMask, rejected.responseMask)

export interface MeanSettings {
  /** What the sum over rows is divided by, as the pairs of all the micro-batches of a step; the rows that have a token, if not said. */
  readonly across?: Aggregation['across']
}

/** The default of `across`. */
export const nonEmptyRows: Aggregation['across'] = { count: 'nonEmptyRows' }

export const hasTokens = (mask: Tensor<Tokens, 'bool'>): Tensor<'batch', 'bool'> => greater(pipe(mask, countTrue('time')), 0)

/** The mean of one number a row over the rows that have a token; 0 of none. */
export const rowMean =
  ({ across = nonEmptyRows }: MeanSettings) =>
  (mask: Tensor<Tokens, 'bool'>) =>
  (x: Tensor<'batch'>): Scalar =>
    pipe(x, where(hasTokens(mask)), acrossRows(across)(mask))

/** The mean over pairs of a loss of each, under its weight where there is one. */
export const pairMean =
  (settings: MeanSettings) =>
  <R extends ScoredResponse>(batch: PreferenceBatch<R>) =>
  (losses: Tensor<'batch'>): Scalar => {
    const mask = pairTokens(batch)
    const weighted = batch.weights === undefined ? losses : mul(pipe(batch.weights, stopGradient, where(hasTokens(mask))), losses)
    return pipe(weighted, rowMean(settings)(mask))
  }
