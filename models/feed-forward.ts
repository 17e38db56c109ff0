import { contract, mul, silu } from '../dsl/index.js'
import type { LayerParameters } from './parameters.js'
import type { Stream } from './tensors.js'

/** SwiGLU: (silu(x·gate) ⊙ x·up) · down. Source: arXiv:2002.05202. */
export const feedForward =
  ({ gate, up, down }: LayerParameters) =>
  (x: Stream): Stream =>
    contract('ffn')(mul(silu(contract('embed')(x, gate)), contract('embed')(x, up)), down)
