/** The derivative: a program about programs. */
export { tangents } from './forward.js'
export { type Differentiable, grad, jvp, valueAndGrad, vjp } from './grad.js'
export { hvp } from './hvp.js'
export { jacobian, type JacobianOf, type Mode } from './jacobian.js'
export { type Partial, type Partials, partials } from './partials.js'
export { type Pullback, pullback } from './pullback.js'
export { cotangentOf, cotangents } from './reverse.js'
export { type Shares, summedTo, transposes } from './transposes.js'
