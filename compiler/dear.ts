import type { ScalarOp } from '../dsl/index.js'

/** Operations that take as long as a dozen sums. */
export const dear: { readonly [O in ScalarOp]?: true } = {
  exp: true,
  expm1: true,
  log: true,
  log1p: true,
  sin: true,
  cos: true,
  tanh: true,
  erf: true,
  sigmoid: true,
  softplus: true,
  pow: true,
  threefry0: true,
  threefry1: true,
}
