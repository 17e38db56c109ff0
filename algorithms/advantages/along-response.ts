import { pipe } from 'fp-ts/lib/function.js'
import { linearRecurrence, pad, select, slice, type Tensor, where } from '../../dsl/index.js'
import type { Tokens } from '../batch.js'
import { type Setting, toScalar } from '../setting.js'

type Mask = Tensor<Tokens, 'bool'>

/** What a sum along the response does at a token outside the mask: passes over it, neither a step nor a decay, or starts anew. */
export type OutsideRule = 'skip' | 'reset'

const carried: { readonly [R in OutsideRule]: number } = { skip: 1, reset: 0 }

/**
 * yₜ = a·y + xₜ at response tokens, y being that of the response token behind it, from the last one back. At a token outside the mask it is
 * that of the response token behind, 0 where none is; so what a tool answered between two response tokens costs no step. With `reset` it
 * is 0 there. What x is outside the mask has no effect.
 */
export const backAlongResponse =
  (mask: Mask, outside: OutsideRule = 'skip') =>
  (a: Setting, x: Tensor<Tokens>): Tensor<Tokens> =>
    linearRecurrence('time', 'backward')(select(mask, toScalar(a), carried[outside]), pipe(x, where(mask)))

/** x of the place behind; 0 at the last one. */
export const placeBehind = (x: Tensor<Tokens>): Tensor<Tokens> => pipe(x, pad('time', { after: 1 }), slice('time', { from: 1 }))
