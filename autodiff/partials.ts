import { type AnyTensor, build, type ScalarOp } from '../dsl/index.js'

const { binary, map, select } = build
const mul = binary('mul')
const div = binary('div')
const sub = binary('sub')
const add = binary('add')
const power = binary('pow')

/**
 * The derivative of a scalar operation by one operand, as the linear map that it is: a tangent of the operand in, its share of the
 * result's tangent out. Pointwise maps are diagonal, so the same function carries a cotangent back. Where a condition decides,
 * it selects: a tangent that is not taken leaks nothing, not even a NaN. `none` for what does not change with the operand.
 */
export type Partial = ((t: AnyTensor) => AnyTensor) | 'none'

/** From the operands, and the result last, the partial derivative by each operand. */
export type Partials = (...operandsAndResult: readonly AnyTensor[]) => readonly Partial[]

export type PartialsTable = { readonly [O in ScalarOp]: Partials }

type Unary = (x: AnyTensor, y: AnyTensor) => Partial
type BinaryRow = (x: AnyTensor, y: AnyTensor, z: AnyTensor) => readonly [Partial, Partial]

const same: Partial = (t) => t
const negated: Partial = (t) => map('neg', t)
const times =
  (factor: AnyTensor | number): Partial =>
  (t) =>
    mul(t, factor)
const where =
  (condition: AnyTensor): Partial =>
  (t) =>
    select(condition, t, 0)

/** None of t where the operand lost, half of it at a tie. A NaN is the result, but nobody lost to it: each passes all of t. */
const unlessLost =
  (loses: AnyTensor, ties: AnyTensor): Partial =>
  (t) =>
    select(loses, 0, select(ties, mul(t, 0.5), t))

/** Where x⁰ = 1 has an infinite or no x⁻¹ in its derivative: 0 times it shall be 0. */
const vanishes = (x: AnyTensor, y: AnyTensor): AnyTensor => map('and', binary('equal')(y, 0), map('not', binary('less')(0, x)))

/** Where xʸ does not change with y, and ln x is −∞. */
const stays = (x: AnyTensor, y: AnyTensor): AnyTensor => map('and', binary('equal')(x, 0), binary('lessEqual')(0, y))

/** 1 in place of x, so that what is not taken leaks nothing. */
const instead = (condition: AnyTensor, x: AnyTensor): AnyTensor => select(condition, 1, x)

const unary =
  (row: Unary): Partials =>
  (...[x, y]) =>
    x === undefined || y === undefined ? [] : [row(x, y)]

const twoOperands =
  (row: BinaryRow): Partials =>
  (...[x, y, z]) =>
    x === undefined || y === undefined || z === undefined ? [] : row(x, y, z)

const none: Partials = (...operandsAndResult) => operandsAndResult.slice(1).map(() => 'none')

/** ∂(op)/∂(operand) for each scalar operation, in the language itself. */
export const partials: PartialsTable = {
  neg: unary(() => negated),
  abs: unary((x) => times(map('sign', x))),
  sign: none,
  recip: unary((_x, y) => times(map('neg', mul(y, y)))),
  exp: unary((_x, y) => times(y)),
  expm1: unary((x) => times(map('exp', x))),
  log: unary((x) => (t) => div(t, x)),
  log1p: unary((x) => (t) => div(t, add(x, 1))),
  sqrt: unary((_x, y) => (t) => div(t, mul(y, 2))),
  rsqrt: unary((x, y) => times(mul(mul(y, -0.5), map('recip', x)))),
  sin: unary((x) => times(map('cos', x))),
  cos: unary((x) => times(map('neg', map('sin', x)))),
  tanh: unary((_x, y) => times(sub(1, mul(y, y)))),
  erf: unary((x) => times(mul(2 / Math.sqrt(Math.PI), map('exp', map('neg', mul(x, x)))))),
  sigmoid: unary((_x, y) => times(mul(y, sub(1, y)))),
  softplus: unary((x) => times(map('sigmoid', x))),
  floor: none,
  add: twoOperands(() => [same, same]),
  sub: twoOperands(() => [same, negated]),
  mul: twoOperands((x, y) => [times(y), times(x)]),
  div: twoOperands((x, y) => [(t) => div(t, y), (t) => map('neg', mul(div(t, y), div(x, y)))]),
  pow: twoOperands((x, y, z) => [
    times(mul(y, power(instead(vanishes(x, y), x), sub(y, 1)))),
    times(mul(z, map('log', instead(stays(x, y), x)))),
  ]),
  // x − mod is a whole multiple of y, but for rounding.
  mod: twoOperands((x, y, z) => [same, times(map('neg', map('floor', add(div(sub(x, z), y), 0.5))))]),
  min: twoOperands((x, y) => [
    unlessLost(binary('less')(y, x), binary('equal')(x, y)),
    unlessLost(binary('less')(x, y), binary('equal')(x, y)),
  ]),
  max: twoOperands((x, y) => [
    unlessLost(binary('less')(x, y), binary('equal')(x, y)),
    unlessLost(binary('less')(y, x), binary('equal')(x, y)),
  ]),
  less: none,
  lessEqual: none,
  equal: none,
  and: none,
  or: none,
  not: none,
  bitAnd: none,
  bitOr: none,
  bitXor: none,
  shiftLeft: none,
  shiftRight: none,
  select: (...[condition]) => (condition === undefined ? [] : ['none', where(condition), where(map('not', condition))]),
  toF32: unary(() => same), // of a float; what is no float has no derivative to pass on
  toI32: none,
  toU32: none,
  toBool: none,
  floatBits: none,
  bitsToF32: none,
  bitsToI32: none,
  bitsToU32: none,
  threefry0: none,
  threefry1: none,
}
