import { pipe } from 'fp-ts/lib/function.js'
import { and, broadcastLike, equal, extent, iota, lessEqual, minOver, or, select, sizeAlong, type Tensor } from '../dsl/index.js'
import type { Tokens } from './batch.js'

type Ids = Tensor<Tokens, 'i32'>
type Mask = Tensor<Tokens, 'bool'>

/** The tokens that end a response: one, or any of several. */
export type Eos = number | readonly [number, ...(readonly number[])]

const isEos = (eos: Eos, ids: Ids): Mask => (typeof eos === 'number' ? [eos] : eos).map((id): Mask => equal(ids, id)).reduce(or)

const places = (ids: Ids): Ids => pipe(iota('time', sizeAlong('time')(ids)), broadcastLike(ids))

/** The place of the first token of each row that ends it; the row's length where none does. */
export const firstEos =
  (eos: Eos) =>
  (ids: Ids): Tensor<'batch', 'i32'> =>
    pipe(select(isEos(eos, ids), places(ids), extent(sizeAlong('time')(ids))), minOver('time'))

/** The tokens up to and including the first that ends its row; all of them where none does. */
export const untilEos =
  (eos: Eos) =>
  (ids: Ids): Mask =>
    lessEqual(places(ids), firstEos(eos)(ids))

/** The tokens of a response: up to and including the first that ends it, and not padding. */
export const completionMask =
  (eos: Eos) =>
  (ids: Ids, notPadding: Mask): Mask =>
    and(untilEos(eos)(ids), notPadding)
