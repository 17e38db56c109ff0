import { pipe } from 'fp-ts/lib/function.js'
import { add, contract, gather, rmsNorm, slice, sum, type Tensor } from '../dsl/index.js'
import { attention } from './attention.js'
import { feedForward } from './feed-forward.js'
import type { DecoderConfig, DecoderParameters } from './parameters.js'
import type { Ids, Stream } from './tensors.js'

/** What the decoder makes of each position, ready for the output matrix. */
const stream =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Stream => {
    const { rotaryBase = 10_000, normEpsilon = 1e-5 } = config
    const norm = (weight: Tensor<'embed'>) => rmsNorm('embed', { epsilon: normEpsilon, weight })
    const embedded: Stream = pipe(params.embedding, gather('vocab')(ids))
    const last = params.layers.reduce((x, layer) => {
      const attended = add(x, pipe(x, norm(layer.attentionNorm), attention(layer, rotaryBase)))
      return add(attended, pipe(attended, norm(layer.ffnNorm), feedForward(layer)))
    }, embedded)
    return pipe(last, norm(params.norm))
  }

/**
 * The logits of the token after each position, which depend on the ids up to and at it alone. Padding behind a row changes none before it.
 * Gradient: into every leaf of `params`; ids have none. An id outside the vocabulary is refused where host ids are bound.
 */
export const logits =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Tensor<'batch' | 'time' | 'vocab'> =>
    contract('embed')(stream(config)(params, ids), params.embedding)

/**
 * The logits of the token after the last position alone, the last of `logits`: what a rollout reads. Rows are of one length; there is no
 * padding.
 */
export const nextLogits =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Tensor<'batch' | 'vocab'> =>
    contract('embed')(pipe(stream(config)(params, ids), slice('time', { from: -1 }), sum('time')), params.embedding)
