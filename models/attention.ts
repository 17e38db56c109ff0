import { pipe } from 'fp-ts/lib/function.js'
import { broadcast, contract, iota, lessEqual, mul, rename, select, type Size, sizeAlong, softmax, type Tensor } from '../dsl/index.js'
import type { LayerParameters } from './parameters.js'
import { rotate, type Rotation } from './rotary.js'
import type { Stream } from './tensors.js'

/** Whether a key lies at or before a query's own time. */
const causal = (time: Size): Tensor<'time' | 'key', 'bool'> => lessEqual(pipe(iota('key', time), broadcast({ time })), iota('time', time))

/** Causal attention of several heads, with rotary positions. `time` is the query's; keys and values call theirs `key`. */
export const attention =
  (weights: LayerParameters, rotation: Rotation, headDim: number) =>
  (x: Stream): Stream => {
    const turned = rotate(rotation, headDim / 2)
    const query = pipe(contract('embed')(x, weights.query), turned)
    const key = pipe(contract('embed')(x, weights.key), turned, rename({ time: 'key' }))
    const value = pipe(contract('embed')(x, weights.value), rename({ time: 'key' }))
    const scores = mul(contract('headDim')(query, key), headDim ** -0.5)
    const shares = pipe(select(causal(sizeAlong('time')(x)), scores, -Infinity), softmax('key'))
    return contract('head', 'headDim')(contract('key')(shares, value), weights.output)
  }
