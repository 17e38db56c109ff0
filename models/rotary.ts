import { pipe } from 'fp-ts/lib/function.js'
import { add, cos, exp, iota, mul, outer, pad, sin, type Size, slice, sub, type Tensor, toF32 } from '../dsl/index.js'

export interface Rotation {
  /** `headDim` is as long as half a head: one angle for each pair. */
  readonly cos: Tensor<'time' | 'headDim'>
  readonly sin: Tensor<'time' | 'headDim'>
}

/** The angles t · base^(−i/half) of position t and pair i. */
export const rotation = ({ time, half, base }: { readonly time: Size; readonly half: number; readonly base: number }): Rotation => {
  const frequencies = exp(mul(toF32(iota('headDim', half)), -Math.log(base) / half))
  const angles = outer(toF32(iota('time', time)), frequencies)
  return { cos: cos(angles), sin: sin(angles) }
}

type Heads = Tensor<'batch' | 'time' | 'head' | 'headDim'>

/**
 * Rotary positions: the pairs (xᵢ, xᵢ₊ₕₐₗ𝒻) of a head turn by their angles, so that a product of two heads depends on their distance alone.
 *
 *   (a, b) → (a·cos − b·sin, b·cos + a·sin), a the first half of `headDim` and b the second
 *
 * Source: RoFormer, arXiv:2104.09864; the halves as in Hugging Face's Llama.
 */
export const rotate =
  ({ cos, sin }: Rotation, half: number) =>
  (x: Heads): Heads => {
    const a = pipe(x, slice('headDim', { to: half }))
    const b = pipe(x, slice('headDim', { from: half }))
    const first = sub(mul(a, cos), mul(b, sin))
    const second = add(mul(b, cos), mul(a, sin))
    return add(pipe(first, pad('headDim', { after: half })), pipe(second, pad('headDim', { before: half })))
  }
