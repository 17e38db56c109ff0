import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  and,
  countTrue,
  floor,
  gather,
  lessEqual,
  merge,
  mul,
  neg,
  type Scalar,
  select,
  sort,
  sub,
  type Tensor,
  toI32,
} from '../dsl/index.js'
import type { Tokens } from './batch.js'
import { type Setting, toScalar } from './setting.js'

type Mask = Tensor<Tokens, 'bool'>

/**
 * The value below which a share of the masked elements lies, between two of them in proportion, as PyTorch's `quantile`; NaN of none.
 * No gradient is meant to pass.
 */
export const maskedQuantile =
  (share: Setting, mask: Mask) =>
  (x: Tensor<Tokens>): Scalar => {
    const ordered = pipe(select(mask, x, Infinity), merge('token', { outer: 'batch', inner: 'time' }), sort('token'))
    const last = sub(pipe(mask, countTrue('batch', 'time')), 1)
    const place = mul(toScalar(share), last)
    const at = (i: Scalar): Scalar => pipe(ordered, gather('token')(toI32(i)))
    const below = floor(place)
    const above = neg(floor(neg(place)))
    return add(at(below), mul(sub(place, below), sub(at(above), at(below))))
  }

/**
 * The share of response tokens with the highest entropy, in nats: where a policy decides, and not where it completes a word; those that are
 * not below the quantile 1 − share. It depends on the whole batch. Data. Source: Beyond the 80/20 Rule, arXiv:2506.01939.
 */
export const highEntropyTokens =
  (share: Setting) =>
  (entropies: Tensor<Tokens>, mask: Mask): Mask =>
    and(mask, lessEqual(maskedQuantile(sub(1, toScalar(share)), mask)(entropies), entropies))
