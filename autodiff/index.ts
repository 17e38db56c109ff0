/** The derivative: a program about programs. */
export { tangents } from './forward.js'
export { type Differentiable, grad, jvp, valueAndGrad, vjp } from './grad.js'
export { type Partial, type Partials, partials } from './partials.js'
export { cotangentOf, cotangents } from './reverse.js'
export { transposes } from './transposes.js'
