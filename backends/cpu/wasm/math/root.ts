import { ofFloats } from './formula.js'

/** 1/√x, rounded once. */
export const rsqrt = ofFloats('rsqrt', 1, (w, x) => w.div(1, w.sqrt(x)))
