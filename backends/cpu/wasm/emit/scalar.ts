import type { LoopOp } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import { f32, f32x4, i32, i32x4, v128 } from '../asm.js'
import {
  absolute,
  binary,
  extreme,
  floorMod,
  type Lanes,
  math,
  notBeyond,
  quotient,
  remainder,
  remainderOfU32,
  same,
  shift,
  signOfF32,
  signOfI32,
  type Spelling,
  unary,
} from './spelling.js'

type ByType = { readonly [D in DType]?: Spelling }

const integer = (spelling: Spelling): ByType => ({ i32: spelling, u32: spelling })

/** Both sides are computed, so it does not matter of which type they are. */
const select: Spelling = {
  one: ([condition, then, otherwise]) => ({ tag: 'select', then: then!, else: otherwise!, condition: condition! }),
  four: ([condition, then, otherwise]) => v128.bitselect(then as Lanes, otherwise as Lanes, condition as Lanes),
}

/** 1 where every bit is set, else 0. */
const oneOrZero = (mask: Lanes): Lanes => i32x4.neg(mask)

const isSet = (x: Lanes): Lanes => i32x4.ne(x, 0)

/**
 * WebAssembly for each operation of the loop language, of numbers and of the four lanes of vectors. A new operation does not compile
 * without a line here. A bool is 0 or 1 in a number, and no bit or every bit in a lane.
 * By the type of the first operand. Floats are those of IEEE 754, integers wrap, and casts saturate.
 */
export const spellings: { readonly [O in LoopOp]: ByType } = {
  neg: { f32: unary(f32.neg, f32x4.neg), ...integer(unary<'i32'>((x) => i32.sub(0, x), i32x4.neg)) },
  abs: { f32: unary(f32.abs, f32x4.abs), i32: absolute, u32: same },
  sign: {
    f32: signOfF32,
    i32: signOfI32,
    u32: unary<'i32'>(
      (x) => i32.ne(x, 0),
      (x) => oneOrZero(isSet(x)),
    ),
  },
  recip: {
    f32: unary<'f32'>(
      (x) => f32.div(1, x),
      (x) => f32x4.div(1, x),
    ),
  },
  exp: { f32: math('exp') },
  expm1: { f32: math('expm1') },
  log: { f32: math('log') },
  log1p: { f32: math('log1p') },
  sqrt: { f32: unary(f32.sqrt, f32x4.sqrt) },
  rsqrt: { f32: math('rsqrt') },
  sin: { f32: math('sin') },
  cos: { f32: math('cos') },
  tanh: { f32: math('tanh') },
  erf: { f32: math('erf') },
  sigmoid: { f32: math('sigmoid') },
  softplus: { f32: math('softplus') },
  floor: { f32: unary(f32.floor, f32x4.floor) },
  add: { f32: binary(f32.add, f32x4.add), ...integer(binary(i32.add, i32x4.add)) },
  sub: { f32: binary(f32.sub, f32x4.sub), ...integer(binary(i32.sub, i32x4.sub)) },
  mul: { f32: binary(f32.mul, f32x4.mul), ...integer(binary(i32.mul, i32x4.mul)) },
  div: { f32: binary(f32.div, f32x4.div) },
  pow: { f32: math('pow') },
  mod: { f32: math('mod'), i32: floorMod, u32: remainderOfU32 },
  min: { f32: binary(f32.min, f32x4.min), i32: extreme(i32.lt_s, i32x4.min_s), u32: extreme(i32.lt_u, i32x4.min_u) },
  max: { f32: binary(f32.max, f32x4.max), i32: extreme(i32.gt_s, i32x4.max_s), u32: extreme(i32.gt_u, i32x4.max_u) },
  less: { f32: binary(f32.lt, f32x4.lt), i32: binary(i32.lt_s, i32x4.lt_s), u32: binary(i32.lt_u, i32x4.lt_u) },
  lessEqual: { f32: binary(f32.le, f32x4.le), i32: binary(i32.le_s, i32x4.le_s), u32: binary(i32.le_u, i32x4.le_u) },
  equal: { f32: binary(f32.eq, f32x4.eq), ...integer(binary(i32.eq, i32x4.eq)) },
  and: { bool: binary(i32.and, v128.and) },
  or: { bool: binary(i32.or, v128.or) },
  not: { bool: unary(i32.eqz, v128.not) },
  bitAnd: integer(binary(i32.and, v128.and)),
  bitOr: integer(binary(i32.or, v128.or)),
  bitXor: integer(binary(i32.xor, v128.xor)),
  shiftLeft: integer(shift(i32.shl, i32x4.shl)),
  shiftRight: { i32: shift(i32.shr_s, i32x4.shr_s), u32: shift(i32.shr_u, i32x4.shr_u) },
  select: { bool: select },
  toF32: {
    f32: same,
    i32: unary(f32.convert_i32_s, f32x4.convert_i32x4_s),
    u32: unary(f32.convert_i32_u, f32x4.convert_i32x4_u),
    bool: unary(f32.convert_i32_u, (x) => v128.and(x, f32x4.const(1))),
  },
  toI32: {
    f32: unary(i32.trunc_sat_f32_s, i32x4.trunc_sat_f32x4_s),
    i32: same,
    u32: notBeyond(0x7fffffff, i32.gt_u, i32x4.min_u),
    bool: unary((x) => x, oneOrZero),
  },
  toU32: {
    f32: unary(i32.trunc_sat_f32_u, i32x4.trunc_sat_f32x4_u),
    i32: notBeyond(0, i32.lt_s, i32x4.max_s),
    u32: same,
    bool: unary((x) => x, oneOrZero),
  },
  toBool: {
    f32: unary<'f32'>(
      (x) => f32.ne(x, 0),
      (x) => f32x4.ne(x, 0),
    ),
    ...integer(unary<'i32'>((x) => i32.ne(x, 0), isSet)),
    bool: same,
  },
  floatBits: { f32: unary(i32.reinterpret_f32, (x) => x) },
  bitsToF32: { u32: unary(f32.reinterpret_i32, (x) => x) },
  bitsToI32: { u32: same },
  bitsToU32: { i32: same },
  threefry0: { u32: math('threefry0') },
  threefry1: { u32: math('threefry1') },
  quotient: { i32: quotient },
  mulHalves: {}, // the processor has no numbers of 16 bits, and no plan of it multiplies any
  remainder: { i32: remainder },
}
