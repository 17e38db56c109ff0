import { type DType, isId, isNum } from './dtype.js'

/** How many operands a scalar operation takes and what type it gives; undefined where the operands' types do not fit. */
export interface Signature {
  readonly arity: number
  readonly takes: string
  readonly result: (operands: readonly DType[]) => DType | undefined
}

const same = (operands: readonly DType[]): DType | undefined => (operands.every((dtype) => dtype === operands[0]) ? operands[0] : undefined)

const signature = (arity: number, takes: string, result: Signature['result']): Signature => ({ arity, takes, result })

const number = (arity: number): Signature =>
  signature(arity, 'numbers of one type', (operands) => (operands.every(isNum) ? same(operands) : undefined))

const float = (arity: number): Signature =>
  signature(arity, 'f32', (operands) => (operands.every((dtype) => dtype === 'f32') ? 'f32' : undefined))

const integer = (arity: number): Signature =>
  signature(arity, 'integers of one type', (operands) => (operands.every(isId) ? same(operands) : undefined))

const bits = (from: DType, to: DType): Signature => signature(1, from, ([dtype]) => (dtype === from ? to : undefined))

/** Two of a key and two of a counter. */
const words = signature(4, 'u32', (operands) => (operands.every((dtype) => dtype === 'u32') ? 'u32' : undefined))

const comparison: Signature = signature(2, 'numbers of one type', (operands) =>
  operands.every(isNum) && same(operands) !== undefined ? 'bool' : undefined,
)

const logic = (arity: number): Signature =>
  signature(arity, 'bool', (operands) => (operands.every((dtype) => dtype === 'bool') ? 'bool' : undefined))

const cast = (to: DType): Signature => signature(1, 'anything', () => to)

/** The scalar operations of the language. Every reading of an expression owes a row for each. */
export const scalarOps = {
  neg: number(1),
  abs: number(1),
  sign: number(1),
  recip: float(1),
  exp: float(1),
  expm1: float(1),
  log: float(1),
  log1p: float(1),
  sqrt: float(1),
  rsqrt: float(1),
  sin: float(1),
  cos: float(1),
  tanh: float(1),
  erf: float(1),
  sigmoid: float(1),
  softplus: float(1),
  floor: float(1),
  add: number(2),
  sub: number(2),
  mul: number(2),
  div: float(2),
  pow: float(2),
  mod: number(2),
  min: number(2),
  max: number(2),
  less: comparison,
  lessEqual: comparison,
  equal: comparison,
  and: logic(2),
  or: logic(2),
  not: logic(1),
  bitAnd: integer(2),
  bitOr: integer(2),
  bitXor: integer(2),
  shiftLeft: integer(2),
  shiftRight: integer(2),
  select: signature(3, 'a bool and two of one type', ([condition, ...branches]) => (condition === 'bool' ? same(branches) : undefined)),
  toF32: cast('f32'),
  toI32: cast('i32'),
  toU32: cast('u32'),
  toBool: cast('bool'),
  floatBits: bits('f32', 'u32'),
  bitsToF32: bits('u32', 'f32'),
  bitsToI32: bits('u32', 'i32'),
  bitsToU32: bits('i32', 'u32'),
  /** Threefry-2x32 of the operands key₀, key₁, counter₀, counter₁: the two words of the block (dsl/random.ts). */
  threefry0: words,
  threefry1: words,
} as const satisfies Readonly<Record<string, Signature>>

export type ScalarOp = keyof typeof scalarOps
