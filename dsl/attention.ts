import { pipe } from 'fp-ts/lib/function.js'
import { lessEqual, mul, rsqrt, sameAxesAs, toF32 } from './algebra.js'
import { extent, iota, sizeAlong } from './along.js'
import * as build from './build/index.js'
import { where } from './masks.js'
import { placesBeside } from './places.js'
import { known, type Size } from './size.js'
import { maskedSoftmax, softmax } from './softmax.js'
import { type AnyTensor, axesMissingFrom, type Scalar, type Tensor } from './tensor.js'

export interface AttentionSettings {
  /** A factor of the scores; 1/√(size of the features) if not said. */
  readonly scale?: number | Scalar
}

/** 1/√n. */
const inverseRoot = (n: Size): number | Scalar => {
  const literal = known(n)
  return literal === undefined ? rsqrt(toF32(extent(n))) : literal ** -0.5
}

/**
 * Scaled dot-product attention: for each query, the mean of the values weighted by how well their keys match it.
 *
 *   softmax over `keys` of (query · key · scale), times value
 *
 * Keys and values lie along the axis `keys`, which queries do not have; products are taken over `features`. Other axes of the keys are
 * walked together with those of the queries, which may have more: where several query heads share one of the keys (grouped queries),
 * `split` their axis into the axis of the keys' heads and one of the group. A query sees the keys at which the mask is true, all if there
 * is none; one that sees no key is 0, and its gradient too. A masked key is not seen, but it must be finite.
 *
 * Gradient: into queries, keys and values. Source: arXiv:1706.03762, eq. 1.
 */
export const attention =
  <K extends string, F extends string>(keys: K, features: F, { scale }: AttentionSettings = {}) =>
  <A extends string, B extends A | K | F, M extends A | K = never>(
    query: Tensor<A | F>,
    key: Tensor<B | K | F>,
    value: Tensor<B | K | F>,
    mask?: Tensor<M, 'bool'>,
  ): Tensor<A | F> => {
    const products = build.contract(features)(query, key) as Tensor<A | K>
    const scores = mul(products, scale ?? inverseRoot(sizeAlong(features)(query)))
    const shares = mask === undefined ? pipe(scores, softmax(keys)) : pipe(scores, maskedSoftmax(mask, keys))
    return pipe(build.contract(keys)(shares, value), sameAxesAs(query))
  }

/** Whether both hold, at every pair of what only one of them has. */
const outerAnd = (x: AnyTensor, y: AnyTensor): AnyTensor => build.map('and', build.broadcastTo([...axesMissingFrom(x, y), ...x.axes])(x), y)

/**
 * Attention of a sequence to itself, in which a query sees the keys of its own time and of earlier ones. All of them have the axis `time`;
 * that of the keys is renamed inside, so that it is no batch axis. `keyMask` is false at padding, which then may be anything, even NaN; a
 * query that sees no key, as in padding in front, is 0, and its gradient too. For a cache, where there are more keys than queries, write
 * `attention` with a mask.
 *
 * Axes, grouped queries, gradient: as of `attention`.
 */
export const causalAttention =
  <T extends string, F extends string>(time: T, features: F, settings: AttentionSettings = {}) =>
  <A extends string, B extends A | T | F, M extends B | T = never>(
    query: Tensor<A | T | F>,
    key: Tensor<B | T | F>,
    value: Tensor<B | T | F>,
    keyMask?: Tensor<M | T, 'bool'>,
  ): Tensor<A | T | F> => {
    const keys = `key ${time}` as const
    type K = typeof keys
    const alongKeys = build.rename({ [time]: keys })
    const places = iota(time, sizeAlong(time)(query))
    const seen = lessEqual(pipe(places, placesBeside(keys, sizeAlong(time)(query))), places)
    const kept = (x: Tensor<B | T | F>): Tensor<B | K | F> =>
      alongKeys(keyMask === undefined ? x : pipe(x, where(keyMask))) as Tensor<B | K | F>
    const mask = keyMask === undefined ? seen : outerAnd(seen, alongKeys(keyMask))
    return attention(keys, features, settings)(query, kept(key), kept(value), mask as Tensor<A | T | K, 'bool'>)
  }
