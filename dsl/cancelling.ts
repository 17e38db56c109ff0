import { stopGradient } from './build/index.js'
import { ofLanguage } from './call-site.js'
import type { Tensor } from './tensor.js'

/** A number that is taken off for the sake of rounding and cancels: its derivative would, too, and to stop it is nobody's choice. */
export const cancelling = <A extends string>(x: Tensor<A>): Tensor<A> => stopGradient(x, ofLanguage) as Tensor<A>
