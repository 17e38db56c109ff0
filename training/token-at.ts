import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  and,
  countTrue,
  cumulativeSum,
  div,
  gather,
  less,
  lessEqual,
  mul,
  pad,
  sizeAlong,
  sizes,
  slice,
  split,
  sub,
  sum,
  type Tensor,
  toI32,
} from '../dsl/index.js'

type Weights = Tensor<'batch' | 'vocab'>
type PerRow = Tensor<'batch'>

export interface TokenAt {
  readonly ids: Tensor<'batch', 'i32'>
  /** The part that it has of all weights. */
  readonly probabilities: PerRow
}

const blockSize = 32

/** The weights by blocks, with zeros behind them. */
const inBlocks = (weights: Weights): Tensor<'batch' | 'block' | 'within'> => {
  const size = sizeAlong('vocab')(weights)
  const whole = sizes.scale(sizes.quotient(sizes.plus(size, blockSize - 1), blockSize), blockSize)
  const after = sizes.minus(whole, size)
  return pipe(weights, pad('vocab', { after }), split('vocab', { outer: 'block', inner: 'within', size: blockSize }))
}

/** Running sums along an axis, the last of which is the sum of all. */
const running = <N extends string>(axis: N, x: Tensor<'batch' | N>) => {
  const sums = pipe(x, cumulativeSum(axis))
  return { sums, total: pipe(sums, slice(axis, { from: -1 }), sum(axis)) }
}

const count = <N extends string>(axis: N, isBefore: Tensor<'batch' | N, 'bool'>) => toI32(pipe(isBefore, countTrue(axis)))

/**
 * The token at u of weights that need not sum to 1: the first whose cumulative weight exceeds u·Z, Z the sum of all. One of weight 0 it never
 * is, whatever rounding does: u·Z is below Z, and what is past it in a block is below the block's end. Where a weight is NaN it is token 0,
 * of probability NaN.
 *
 * The block that u·Z lies in comes first, then the token in it: running sums of a whole vocabulary would be taken one by one.
 */
export const tokenAt = (uniform: PerRow, weights: Weights): TokenAt => {
  const blocks = inBlocks(weights)
  const upTo = running('block', pipe(blocks, sum('within')))
  const aim = mul(uniform, upTo.total)
  const block = count('block', lessEqual(upTo.sums, aim))
  const own = pipe(blocks, gather('block')(block))
  const before = sub(pipe(upTo.sums, gather('block')(block)), pipe(own, sum('within')))
  const upToToken = running('within', own)
  const within = count('within', and(lessEqual(upToToken.sums, sub(aim, before)), less(upToToken.sums, upToToken.total)))
  const ids = add(mul(block, blockSize), within)
  return { ids, probabilities: div(pipe(own, gather('within')(within)), upTo.total) }
}
