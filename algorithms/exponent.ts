import { exp, expm1, min, type Tensor } from '../dsl/index.js'

/** The greatest exponent: e⁸⁹ overflows f32, and behind an overflow even a gradient that a clip cuts off is 0·∞, which is NaN. */
const greatest = 80

/** eˣ up to e⁸⁰, and e⁸⁰ beyond, where no gradient passes. */
export const boundedExp = <A extends string>(x: Tensor<A>): Tensor<A> => exp(min(x, greatest))

/** eˣ − 1 up to e⁸⁰, exact near 0, and e⁸⁰ beyond, where no gradient passes. */
export const boundedExpm1 = <A extends string>(x: Tensor<A>): Tensor<A> => expm1(min(x, greatest))
