import { bitAnd, bitsToI32, lessEqual } from './algebra.js'
import type { Tensor } from './tensor.js'

/** The bits of ∞; those of a NaN, without its sign, are more. */
const infinity = 0x7f800000

/** Whether an element is a number, ±∞ too, and not NaN. By its bits, since some drivers hold that x = x of NaN. No gradient. */
export const isNumber = <A extends string>(x: Tensor<A>): Tensor<A, 'bool'> => lessEqual(bitAnd(bitsToI32(x), 0x7fffffff), infinity)
