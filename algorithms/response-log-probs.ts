import { pipe } from 'fp-ts/lib/function.js'
import { add, broadcast, div, gather, iota, type Size, sub, type Tensor, tokenLogProbs } from '../dsl/index.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

/** What a policy said of whole sequences, prompt and response, and where each response begins. */
export interface Sequences {
  /** The logits at a place are of the token at the next. */
  readonly logits: Tensor<Tokens | 'vocab'>
  readonly ids: Tensor<Tokens, 'i32'>
  /** The place of a row's first response token: the length of its prompt, with the padding before it. */
  readonly promptLengths: Tensor<'batch', 'i32'>
}

export interface ResponseSettings {
  /** How many tokens a response has room for: the size of `time` in the result. */
  readonly size: number | Size
  /** The logits are divided by it: at 1, which is what holds if none is given, they are of the policy itself. */
  readonly temperature?: Setting
}

/** The place in its sequence of each token of a response: P + j. */
export const responsePlaces =
  (size: number | Size) =>
  (promptLengths: Tensor<'batch', 'i32'>): Tensor<Tokens, 'i32'> =>
    add(pipe(promptLengths, broadcast({ time: size })), iota('time', size))

/**
 * log π(token) of each token of a response, in nats: token j of a row whose prompt has P tokens is read from the logits at P − 1 + j.
 *
 *   y[b, j] = log softmax(logits[b, P_b − 1 + j] / temperature)[ids[b, P_b + j]]
 *
 * Prompts may be of different lengths, padded before or behind. Where a sequence ends within the room for a response the result is NaN:
 * there is no token, and the response mask is false. Gradient: into the logits that were read.
 * Source: verl `log_probs_from_logits_response`, MiniMind train_grpo.py (`logp_pos`).
 */
export const responseLogProbs =
  ({ size, temperature }: ResponseSettings) =>
  ({ logits, ids, promptLengths }: Sequences): Tensor<Tokens> => {
    const places = pipe(promptLengths, responsePlaces(size))
    const chosen = pipe(ids, gather('time')(places))
    const read = pipe(logits, gather('time')(sub(places, 1)))
    return pipe(temperature === undefined ? read : div(read, toScalar(temperature)), tokenLogProbs('vocab')(chosen))
  }
