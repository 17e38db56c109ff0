import { pipe } from 'fp-ts/lib/function.js'
import {
  countTrue,
  cumulativeSum,
  lessEqual,
  maskedSum,
  min,
  mul,
  select,
  stopGradient,
  sub,
  type Tensor,
  toF32,
  where,
} from '../../dsl/index.js'
import { type Aggregation, rowsOf } from '../aggregate.js'
import type { Tokens } from '../batch.js'
import { type Setting, toScalar } from '../setting.js'
import { mapPair, type Pair, type ReferencedResponse, type ScoredResponse } from './pairs.js'

/** How the tokens of a response become one number. */
export interface SequenceSettings {
  /** What their sum is divided by, 1 if not said; `{ count: 'tokens' }` makes it their mean. */
  readonly within?: Aggregation['within']
  /**
   * LD-DPO's α, from 0 to 1: a factor of the tokens by which a response is longer than the other of its pair. 1 if not said.
   * Source: arXiv:2409.06411.
   */
  readonly excess?: Setting
}

type Mask = Tensor<Tokens, 'bool'>

/** Tokens at places of the response up to `shared` as they are, those behind times α. */
const dampExcess =
  (alpha: Setting, shared: Tensor<'batch'>) =>
  (mask: Mask) =>
  (x: Tensor<Tokens>): Tensor<Tokens> => {
    const place = pipe(mask, toF32, cumulativeSum('time'))
    return pipe(x, where(mask), (kept) => select(lessEqual(place, shared), kept, mul(toScalar(alpha), kept)))
  }

/** A number a token of each of two responses as one a response: 0 where it has no tokens. */
const reducePair =
  ({ within = 1, excess }: SequenceSettings) =>
  <R extends ScoredResponse>(valueOf: (response: R) => Tensor<Tokens>) =>
  (pair: Pair<R>): Pair<Tensor<'batch'>> => {
    const lengths = mapPair(({ responseMask }: R) => pipe(responseMask, countTrue('time')))(pair)
    const damped = excess === undefined ? () => (x: Tensor<Tokens>) => x : dampExcess(excess, min(lengths.chosen, lengths.rejected))
    return mapPair((response: R) => pipe(valueOf(response), damped(response.responseMask), rowsOf(within)(response.responseMask)))(pair)
  }

const logRatios = ({ logProbs, refLogProbs }: ReferencedResponse): Tensor<Tokens> => sub(logProbs, stopGradient(refLogProbs))

/** Σ log π − log π_ref over the tokens of a response, in nats; 0 without a token. Gradient: 1 into each log π, inside the mask. */
export const sequenceLogRatio = (response: ReferencedResponse): Tensor<'batch'> =>
  pipe(logRatios(response), maskedSum(response.responseMask, 'time'))

/** log π of each response of a pair, in nats; 0 without a token. Gradient: into `logProbs`, inside the mask. */
export const pairLogProbs = (settings: SequenceSettings): (<R extends ScoredResponse>(pair: Pair<R>) => Pair<Tensor<'batch'>>) =>
  reducePair(settings)(({ logProbs }) => logProbs)

/** log π_ref of each response of a pair, in nats, as data. */
export const pairRefLogProbs = (settings: SequenceSettings): ((pair: Pair<ReferencedResponse>) => Pair<Tensor<'batch'>>) =>
  reducePair(settings)(({ refLogProbs }: ReferencedResponse) => stopGradient(refLogProbs))

/** log π/π_ref of each response of a pair, in nats; 0 without a token. Gradient: into `logProbs`, inside the mask. */
export const pairLogRatios = (settings: SequenceSettings): ((pair: Pair<ReferencedResponse>) => Pair<Tensor<'batch'>>) =>
  reducePair(settings)(logRatios)
