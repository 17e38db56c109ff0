import { pipe } from 'fp-ts/lib/function.js'
import {
  bitOr,
  bitsToU32,
  broadcastLike,
  equal,
  greaterEqual,
  mul,
  type Scalar,
  scalar,
  select,
  stored,
  sum,
  type Tensor,
  toF32,
  where,
} from '../dsl/index.js'

type Weights = Tensor<'batch' | 'vocab'>
type PerRow = Tensor<'batch'>

/** The bits of the numbers in [0, 1] lie in [0, 2³⁰), in the order of the numbers. */
const highestBit = 29

/**
 * Of each row the greatest number of which, and of what is above it, there is so much; 0 if there is not so much of all. Bit by bit, from the
 * highest: 30 sums over the vocabulary, where sorting takes a comparison of every two.
 */
const threshold = (weights: Weights, amounts: Weights, target: PerRow): Tensor<'batch', 'u32'> => {
  const bits = bitsToU32(weights)
  let found: Tensor<'batch', 'u32'> = pipe(scalar(0, 'u32'), broadcastLike(target))
  for (let bit = highestBit; bit >= 0; bit--) {
    const tried = bitOr(found, scalar(2 ** bit, 'u32'))
    const amount = pipe(amounts, where(greaterEqual(bits, tried)), sum('vocab'))
    found = select(greaterEqual(amount, target), tried, found)
  }
  return found
}

/** The weights of which, and of those above them, there is so much; 0 in place of the others. */
const greatest =
  (amounts: Weights, target: PerRow) =>
  (weights: Weights): Weights =>
    pipe(weights, where(greaterEqual(bitsToU32(weights), threshold(weights, amounts, target))))

/**
 * Weights in [0, 1] with 0 in place of those that may not be drawn. The k greatest stay, then of these as many of the greatest as it takes to
 * have p of their sum. Equal ones stay or go together, so there may be more than k; the greatest stay always, for k from 1 and p above 0.
 * Source: Holtzman et al., arXiv:1904.09751, section 3.1.
 */
export const mostLikely =
  (topK: Scalar<'i32'>, topP: Scalar) =>
  (x: Weights): Weights => {
    const weights = stored(x) // their bits are compared
    const ones = toF32(equal(weights, weights))
    const size = pipe(toF32(topK), broadcastLike(pipe(weights, sum('vocab'))))
    const kept = pipe(weights, greatest(ones, size))
    return pipe(kept, greatest(kept, mul(topP, pipe(kept, sum('vocab')))))
  }
