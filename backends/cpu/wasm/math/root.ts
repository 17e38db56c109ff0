import { inFloat64 } from './formula.js'

/** 1/√x, rounded once. */
export const rsqrt = inFloat64('rsqrt', 1, (w, x) => w.div(1, w.sqrt(x)))
