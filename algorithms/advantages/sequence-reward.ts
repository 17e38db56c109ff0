import { pipe } from 'fp-ts/lib/function.js'
import { broadcastLike, equal, iota, max, select, sizeAlong, type Tensor } from '../../dsl/index.js'
import type { Tokens } from '../batch.js'

/** The place of each row's last response token; −1 in a row that has none. */
export const lastToken = (mask: Tensor<Tokens, 'bool'>): Tensor<'batch', 'i32'> =>
  pipe(select(mask, pipe(iota('time', sizeAlong('time')(mask)), broadcastLike(mask)), -1), max('time'))

/**
 * A reward for each token from one for each row: the row's own at its last response token and 0 elsewhere, whatever lies behind. A row
 * without a response token has nowhere to put it, and its reward is dropped. A mask that is one place longer puts it behind the response,
 * as TRL's PPO does. Gradient: into the rewards of rows that have a token.
 */
export const onLastToken =
  (mask: Tensor<Tokens, 'bool'>) =>
  (rewards: Tensor<'batch'>): Tensor<Tokens> =>
    select(equal(pipe(iota('time', sizeAlong('time')(mask)), broadcastLike(mask)), lastToken(mask)), rewards, 0)
