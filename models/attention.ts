import { pipe } from 'fp-ts/lib/function.js'
import { causalAttention, contract, rotary } from '../dsl/index.js'
import type { LayerParameters } from './parameters.js'
import type { Stream } from './tensors.js'

/** Causal attention of several heads, with rotary positions. */
export const attention =
  (weights: LayerParameters, rotaryBase: number) =>
  (x: Stream): Stream => {
    const turned = rotary('headDim', { base: rotaryBase, positions: 'time' })
    const query = pipe(contract('embed')(x, weights.query), turned)
    const key = pipe(contract('embed')(x, weights.key), turned)
    const value = contract('embed')(x, weights.value)
    return contract('head', 'headDim')(causalAttention('time', 'headDim')(query, key, value), weights.output)
  }
