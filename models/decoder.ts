import { pipe } from 'fp-ts/lib/function.js'
import { add, checkpoint, contract, gather, rmsNorm, type Tensor } from '../dsl/index.js'
import { type Attend, attention, toItself } from './attention.js'
import { type DecoderConfig, defaultNormEpsilon } from './config.js'
import { feedForward } from './feed-forward.js'
import type { DecoderParameters, LayerParameters } from './parameters.js'
import type { Ids, Positions, Stream } from './tensors.js'

/** What the decoder makes of each position, ready for the output matrix; `attend` says what each layer's queries see. */
export const stream =
  (config: DecoderConfig, attend: (layer: number) => Attend, positions: Positions) =>
  (params: DecoderParameters, ids: Ids): Stream => {
    const { normEpsilon: epsilon = defaultNormEpsilon } = config
    const norm = (weight: Tensor<'embed'>) => rmsNorm('embed', { epsilon, weight })
    const embedded: Stream = pipe(params.embedding, gather('vocab')(ids))
    const through = (x: Stream, layer: LayerParameters, i: number): Stream => {
      const attended = add(x, pipe(x, norm(layer.attentionNorm), attention(config, attend(i))(layer, positions)))
      return add(attended, pipe(attended, norm(layer.ffnNorm), feedForward(layer)))
    }
    return pipe(params.layers.reduce(config.recomputesLayers ? checkpoint(through) : through, embedded), norm(params.norm))
  }

/** What the decoder makes of each position of whole sequences, which depends on the ids up to and at it alone. */
export const states = (config: DecoderConfig) => stream(config, () => toItself, 'time')

/** The logits of what a stream says at each of its places. */
export const unembedded =
  ({ embedding, unembedding = embedding }: DecoderParameters) =>
  <A extends string>(x: Tensor<A | 'embed'>): Tensor<Exclude<A | 'vocab', 'embed'>> =>
    contract('embed')(x, unembedding)

/**
 * The logits of the token after each position, which depend on the ids up to and at it alone. Padding behind a row changes none before it.
 * Gradient: into every leaf of `params`; ids have none. An id outside the vocabulary is refused where host ids are bound.
 */
export const logits =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Tensor<'batch' | 'time' | 'vocab'> =>
    pipe(states(config)(params, ids), unembedded(params))
