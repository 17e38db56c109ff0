import { pipe } from 'fp-ts/lib/function.js'
import { add, causalAttention, contract, merge, rmsNorm, rotary, split, type Tensor } from '../dsl/index.js'
import { type DecoderConfig, defaultNormEpsilon, defaultRotaryBase } from './config.js'
import type { LayerParameters } from './parameters.js'
import type { Positions, Stream } from './tensors.js'

/** Query heads of one group share a key head. */
export type Queries = Tensor<'batch' | 'time' | 'keyHead' | 'group' | 'headDim'>
/** Keys, or values. */
export type Keys = Tensor<'batch' | 'time' | 'keyHead' | 'headDim'>

/** What queries at their places make of keys and values. */
export type Attend = (query: Queries, key: Keys, value: Keys) => Queries

/** A sequence to itself: each token sees its own place and those before it. */
export const toItself: Attend = causalAttention('time', 'headDim')

const shifted =
  <A extends string>(bias: Tensor<A> | undefined) =>
  <B extends string>(x: Tensor<A | B>): Tensor<A | B> =>
    bias === undefined ? x : add(x, bias)

const normed =
  (weight: Tensor<'headDim'> | undefined, epsilon: number) =>
  <A extends string>(x: Tensor<A | 'headDim'>): Tensor<A | 'headDim'> =>
    weight === undefined ? x : pipe(x, rmsNorm('headDim', { epsilon, weight }))

/** Attention of several heads, with rotary positions, and biases and norms where the layer has them. */
export const attention =
  ({ heads, keyHeads = heads, rotaryBase: base = defaultRotaryBase, normEpsilon = defaultNormEpsilon }: DecoderConfig, attend: Attend) =>
  (weights: LayerParameters, positions: Positions) =>
  (x: Stream): Stream => {
    const turned = rotary('headDim', { base, positions })
    const query = pipe(contract('embed')(x, weights.query), shifted(weights.queryBias), normed(weights.queryHeadNorm, normEpsilon), turned)
    const key = pipe(contract('embed')(x, weights.key), shifted(weights.keyBias), normed(weights.keyHeadNorm, normEpsilon), turned)
    const value = pipe(contract('embed')(x, weights.value), shifted(weights.valueBias))
    const grouped = pipe(query, split('head', { outer: 'keyHead', inner: 'group', size: heads / keyHeads }))
    const attended = pipe(attend(grouped, key, value), merge('head', { outer: 'keyHead', inner: 'group' }))
    return contract('head', 'headDim')(attended, weights.output)
  }
