import { pipe } from 'fp-ts/lib/function.js'
import { add, contract, gather, sizeAlong, slice, sum, type Tensor } from '../dsl/index.js'
import { attention } from './attention.js'
import { feedForward } from './feed-forward.js'
import { rmsNorm } from './norm.js'
import type { DecoderConfig, DecoderParameters } from './parameters.js'
import { rotation } from './rotary.js'

type Ids = Tensor<'batch' | 'time', 'i32'>
type Stream = Tensor<'batch' | 'time' | 'embed'>

/** What the decoder makes of each position, ready for the output matrix. No padding: every row is as long as the longest. */
const stream =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Stream => {
    const { headDim, rotaryBase: base = 10_000, normEpsilon = 1e-5 } = config
    const turns = rotation({ time: sizeAlong('time')(ids), half: headDim / 2, base })
    const norm = (scale: Tensor<'embed'>) => rmsNorm(scale, normEpsilon)
    const embedded: Stream = pipe(params.embedding, gather('vocab')(ids))
    const last = params.layers.reduce((x, layer) => {
      const attended = add(x, pipe(x, norm(layer.attentionNorm), attention(layer, turns, headDim)))
      return add(attended, pipe(attended, norm(layer.ffnNorm), feedForward(layer)))
    }, embedded)
    return pipe(last, norm(params.norm))
  }

/** The logits of the token after each position. */
export const logits =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Tensor<'batch' | 'time' | 'vocab'> =>
    contract('embed')(stream(config)(params, ids), params.embedding)

/** The logits of the token after the last position alone: what a rollout reads. */
export const nextLogits =
  (config: DecoderConfig) =>
  (params: DecoderParameters, ids: Ids): Tensor<'batch' | 'vocab'> =>
    contract('embed')(pipe(stream(config)(params, ids), slice('time', { from: -1 }), sum('time')), params.embedding)
