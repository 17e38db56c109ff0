import { add, cos, div, exp, mul, outer, sin, sub, toF32 } from './algebra.js'
import { concat, extent, iota, sizeAlong } from './along.js'
import * as build from './build/index.js'
import { stored } from './control.js'
import type { Size } from './size.js'
import type { AnyTensor, Tensor } from './tensor.js'

export interface RotarySettings<P extends string> {
  /** The longest wavelength is 2π times about this many positions; 10,000 in RoFormer and Llama. */
  readonly base: number
  /** Of each place, an i32, where a cache or padding in front shifts it; or the axis along which positions are 0, 1, 2, …. */
  readonly positions: P | Tensor<P, 'i32'>
}

const positionsOf = <P extends string>(positions: P | Tensor<P, 'i32'>, x: AnyTensor): Tensor<P, 'i32'> =>
  typeof positions === 'string' ? iota(positions, sizeAlong(positions)(x)) : positions

/** base^(−i/half) of pair i, in radians a position. */
const frequencies = <N extends string>(axis: N, half: Size, base: number): Tensor<N> =>
  exp(mul(div(toF32(iota(axis, half)), toF32(extent(half))), -Math.log(base)))

/**
 * Rotary positions: the pairs (xᵢ, xᵢ₊ₕ) along the axis, h half its size, turn by position · base^(−i/h), so that the product of two
 * vectors depends on the distance of their positions alone.
 *
 *   (a, b) → (a·cos − b·sin, b·cos + a·sin), a the first half and b the second, as in Hugging Face's Llama
 *
 * The axis must have an even size: an odd one is an error of the program, or refused when it is bound. Gradient: into x, turned back;
 * positions have none. Source: RoFormer, arXiv:2104.09864, eq. 34, which pairs neighbours in place of halves.
 */
export const rotary =
  <N extends string, P extends string>(axis: N, { base, positions }: RotarySettings<P>) =>
  <A extends string>(x: Tensor<A | N | P>): Tensor<A | N | P> => {
    const [a, b] = build.halves('rotary', axis)(x) as readonly [typeof x, typeof x]
    const angles = outer(toF32(positionsOf(positions, x)), frequencies(axis, sizeAlong(axis)(a), base))
    // Places of each row's own: all layers read their sines, which cost more than the products that they are read for.
    const table = typeof positions === 'string' ? (values: typeof angles) => values : stored
    const [c, s] = [table(cos(angles)), table(sin(angles))]
    return concat(axis)(sub(mul(a, c), mul(b, s)), add(mul(b, c), mul(a, s)))
  }
