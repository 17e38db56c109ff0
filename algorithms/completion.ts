import { pipe } from 'fp-ts/lib/function.js'
import { and, broadcastLike, equal, extent, iota, lessEqual, max, neg, select, sizeAlong, type Tensor } from '../dsl/index.js'
import type { Tokens } from './batch.js'

/** The place of the first token that is `eos` in each row; the row's length where none is. */
export const firstEos =
  (eos: number) =>
  (ids: Tensor<Tokens, 'i32'>): Tensor<'batch', 'i32'> => {
    const length = sizeAlong('time')(ids)
    const places = pipe(iota('time', length), broadcastLike(ids))
    // The least place is the negative of the greatest negative: the language has a maximum over an axis and needs no cumulative sum here.
    return neg(pipe(select(equal(ids, eos), neg(places), neg(extent(length))), max('time')))
  }

/** The tokens of a response: up to and including the first `eos`, and not padding. */
export const completionMask =
  (eos: number) =>
  (ids: Tensor<Tokens, 'i32'>, notPadding: Tensor<Tokens, 'bool'>): Tensor<Tokens, 'bool'> =>
    and(lessEqual(pipe(iota('time', sizeAlong('time')(ids)), broadcastLike(ids)), firstEos(eos)(ids)), notPadding)
