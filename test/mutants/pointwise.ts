import { type AnyTensor, build, type ScalarOp } from '../../dsl/index.js'
import { type Mistake, mistake } from './mistake.js'

const { binary, broadcastTo, filled, map, select } = build

type Row = (y: AnyTensor, ...operands: readonly (AnyTensor | undefined)[]) => readonly Mistake[]

const given = (operands: readonly (AnyTensor | undefined)[]): readonly AnyTensor[] => operands.flatMap((x) => x ?? [])

const none: Row = () => []

/** The operand itself. */
const unary: Row = (y, x) => (x === undefined || x.dtype !== y.dtype ? [] : [mistake('dropped', 'what is done to the operand', x)])

/** One operand itself. */
const one =
  (i: 0 | 1, what: string): Row =>
  (y, ...operands) =>
    operands[i] === undefined ? [] : [mistake('dropped', what, broadcastTo(y.axes)(operands[i]))]

const either: Row = (y, ...operands) => [...one(0, 'the second operand')(y, ...operands), ...one(1, 'the first operand')(y, ...operands)]

const other =
  (op: ScalarOp): Row =>
  (y, ...operands) => [mistake('other', `${op} instead`, broadcastTo(y.axes)(map(op, ...given(operands))))]

const swapped: Row = (y, a, b) =>
  a === undefined || b === undefined || y.node.tag !== 'map'
    ? []
    : [mistake('swapped', 'the operands', broadcastTo(y.axes)(map(y.node.op, b, a)))]

/** What is decided otherwise where two are equal, and what is not decided at all. */
const comparison =
  (atTies: ScalarOp | undefined): Row =>
  (y, ...operands) => [
    ...(atTies === undefined ? [] : [mistake('tied', `${atTies} instead`, broadcastTo(y.axes)(map(atTies, ...given(operands))))]),
    mistake('dropped', 'the comparison: never', filled(0, y)),
    mistake('dropped', 'the comparison: always', filled(1, y)),
  ]

const rows =
  (...all: readonly Row[]): Row =>
  (y, ...operands) =>
    all.flatMap((row) => row(y, ...operands))

const selection: Row = (y, condition, a, b) => {
  if (condition === undefined || a === undefined || b === undefined) return []
  const wide = broadcastTo(y.axes)
  const branches = [
    mistake('dropped', 'the condition: always the first', wide(a)),
    mistake('dropped', 'the condition: always the second', wide(b)),
  ]
  const turned = mistake('swapped', 'the branches', wide(select(condition, b, a)))
  if (y.dtype !== 'f32') return [...branches, turned]
  const weight = map('toF32', condition)
  const product = binary('add')(binary('mul')(wide(a), weight), binary('mul')(wide(b), binary('sub')(1, weight)))
  return [...branches, turned, mistake('multiplied', 'the mask', product)]
}

/** For each scalar operation, what is written in its place. A new one does not compile without a row. */
export const pointwiseMistakes: { readonly [O in ScalarOp]: Row } = {
  neg: unary,
  abs: unary,
  sign: unary,
  recip: unary,
  exp: unary,
  expm1: rows(unary, other('exp')),
  log: unary,
  log1p: rows(unary, other('log')),
  sqrt: unary,
  rsqrt: rows(unary, other('sqrt')),
  sin: rows(unary, other('cos')),
  cos: rows(unary, other('sin')),
  tanh: unary,
  erf: unary,
  sigmoid: unary,
  softplus: unary,
  floor: unary,
  add: rows(either, other('sub')),
  sub: rows(either, swapped, other('add')),
  mul: either,
  div: rows(one(0, 'the divisor'), swapped),
  pow: rows(one(0, 'the exponent'), swapped),
  mod: either,
  min: rows(either, other('max')),
  max: rows(either, other('min')),
  less: rows(comparison('lessEqual'), swapped),
  lessEqual: rows(comparison('less'), swapped),
  equal: comparison(undefined),
  and: either,
  or: either,
  not: unary,
  bitAnd: either,
  bitOr: either,
  bitXor: either,
  shiftLeft: unary,
  shiftRight: unary,
  select: selection,
  toF32: none,
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
