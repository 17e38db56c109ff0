import type { LoopOp } from '../../../compiler/index.js'
import type { DType } from '../../../dsl/index.js'

type Spelling = (...operands: readonly string[]) => string

/** The spelling for each type that the first operand may have (for `select`, the second: what is chosen). */
type Row = { readonly [D in DType]?: Spelling }

const itself: Spelling = (x = '') => x
const infix =
  (sign: string): Spelling =>
  (x = '', y = '') =>
    `(${x} ${sign} ${y})`
/** Of one float by itself as drivers would not have it: they take x − x for 0 and x/x for 1, even where x is NaN or ∞. */
const unlike =
  (sign: string): Spelling =>
  (x = '', y = '') =>
    infix(sign)(x === y ? `strict(${x})` : x, y)
const call =
  (name: string): Spelling =>
  (...operands) =>
    `${name}(${operands.join(', ')})`

/** By the last five bits of y, which is to be a u32. */
const shift =
  (sign: string, asU32 = ''): Spelling =>
  (x = '', y = '') =>
    `(${x} ${sign} (${asU32}(${y}) & 31u))`

const float = (spelling: Spelling): Row => ({ f32: spelling })
const numbers = (spelling: Spelling): Row => ({ f32: spelling, i32: spelling, u32: spelling })
const integers = (spelling: Spelling): Row => ({ i32: spelling, u32: spelling })
const anything = (spelling: Spelling): Row => ({ ...numbers(spelling), bool: spelling })

/** WGSL for each operation of the loop language. A new operation does not compile without a line here. Lower case is the prelude's. */
const rows: { readonly [O in LoopOp]: Row } = {
  neg: { f32: (x) => `(-${x})`, i32: (x) => `(-${x})`, u32: (x) => `(0u - ${x})` },
  abs: { ...numbers(call('abs')), u32: itself },
  sign: { f32: call('sign_f32'), i32: call('sign'), u32: (x) => `min(${x}, 1u)` },
  recip: float(call('recip_f32')),
  exp: float(call('exp_f32')),
  expm1: float(call('expm1_f32')),
  log: float(call('log_f32')),
  log1p: float(call('log1p_f32')),
  sqrt: float(call('sqrt')),
  rsqrt: float(call('rsqrt_f32')),
  sin: float(call('sin_f32')),
  cos: float(call('cos_f32')),
  tanh: float(call('tanh_f32')),
  erf: float(call('erf_f32')),
  sigmoid: float(call('sigmoid_f32')),
  softplus: float(call('softplus_f32')),
  floor: float(call('floor')),
  add: numbers(infix('+')),
  sub: { ...numbers(infix('-')), f32: unlike('-') },
  mul: numbers(infix('*')),
  mulHalves: float((x, y) => `f32(f16(${x}) * f16(${y}))`),
  div: float(unlike('/')),
  pow: float(call('pow_f32')),
  mod: { f32: call('mod_f32'), i32: call('mod_i32'), u32: call('mod_u32') },
  min: { ...numbers(call('min')), f32: call('min_f32') },
  max: { ...numbers(call('max')), f32: call('max_f32') },
  less: numbers(infix('<')),
  lessEqual: numbers(infix('<=')),
  equal: numbers(infix('==')),
  and: { bool: infix('&') },
  or: { bool: infix('|') },
  not: { bool: (x) => `(!${x})` },
  bitAnd: integers(infix('&')),
  bitOr: integers(infix('|')),
  bitXor: integers(infix('^')),
  shiftLeft: { i32: shift('<<', 'bitcast<u32>'), u32: shift('<<') },
  shiftRight: { i32: shift('>>', 'bitcast<u32>'), u32: shift('>>') },
  select: anything((condition, x, y) => `select(${y}, ${x}, ${condition})`),
  toF32: { ...anything(call('f32')), f32: itself },
  toI32: { f32: call('to_i32'), i32: itself, u32: (x) => `i32(min(${x}, 2147483647u))`, bool: call('i32') },
  toU32: { f32: call('to_u32'), i32: (x) => `u32(max(${x}, 0))`, u32: itself, bool: call('u32') },
  toBool: { f32: call('to_bool'), i32: (x) => `(${x} != 0)`, u32: (x) => `(${x} != 0u)`, bool: itself },
  floatBits: float(call('bitcast<u32>')),
  bitsToF32: { u32: call('bitcast<f32>') },
  bitsToI32: { u32: call('bitcast<i32>') },
  bitsToU32: { i32: call('bitcast<u32>') },
  threefry0: { u32: (...words) => `threefry(${words.join(', ')}).x` },
  threefry1: { u32: (...words) => `threefry(${words.join(', ')}).y` },
  quotient: { i32: infix('/') },
  remainder: { i32: infix('%') },
}

/** An operation in WGSL over operands of a type. */
export const spell = (op: LoopOp, of: DType, operands: readonly string[]): string => {
  const spelling = rows[op][of]
  if (spelling === undefined) throw new Error(`${op} is not defined on ${of}`)
  return spelling(...operands)
}
