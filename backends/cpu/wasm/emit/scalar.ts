import type { LoopOp } from '../../../../compiler/index.js'
import type { DType } from '../../../../dsl/index.js'
import { call, type Expr, f32, f64, i32 } from '../asm.js'
import type { Instr } from '../encode.js'
import { mathFunctions, type MathName } from '../math.js'

/** WebAssembly for each operation of the loop language. A new operation does not compile without a line here. */

/** An operand that is used twice and computed once: as it is computed, and as it is read again. In that order. */
export type Share = <T extends 'i32' | 'f32'>(type: T, x: Expr<T>) => readonly [first: Expr<T>, again: Expr<T>]

/** What an operation becomes, given its operands. */
export type Spelling = (operands: readonly Instr[], share: Share) => Instr

type I32 = Expr<'i32'>

const unary =
  <T extends 'i32' | 'f32'>(make: (x: Expr<T>, share: Share) => Instr): Spelling =>
  ([x], share) =>
    make(x as Expr<T>, share)

const binary =
  <T extends 'i32' | 'f32'>(make: (x: Expr<T>, y: Expr<T>) => Instr): Spelling =>
  ([x, y]) =>
    make(x as Expr<T>, y as Expr<T>)

const same = unary((x) => x)

type Words = 'threefry0' | 'threefry1'

const math = (name: Exclude<MathName, 'pow' | 'mod' | Words>): Spelling => unary<'f32'>((x) => call(mathFunctions[name].fn, { x }))

const math2 = (name: 'pow' | 'mod'): Spelling => binary<'f32'>((x, y) => call(mathFunctions[name].fn, { x, y }))

const block =
  (name: Words): Spelling =>
  ([k0, k1, c0, c1]) =>
    call(mathFunctions[name].fn, { k0: k0 as I32, k1: k1 as I32, c0: c0 as I32, c1: c1 as I32 })

/** A divisor that traps nothing: 1 for 0, whose remainder is 0. */
const divisor = (y: I32, again: I32): I32 => i32.or(y, i32.eqz(again))

/** The remainder r, or r + y where r is not 0 and its sign is not that of y. */
const floorMod: Spelling = ([x, y], share) => {
  const [y1, y2] = share('i32', y as I32)
  const [r1, r2] = share('i32', i32.rem_s(x as I32, divisor(y1, y2)))
  const differ = i32.and(i32.ne(r2, 0), i32.lt_s(i32.xor(r2, y2), 0))
  return i32.add(r1, i32.and(y2, i32.sub(0, differ)))
}

const remainderOfU32: Spelling = ([x, y], share) => {
  const [y1, y2] = share('i32', y as I32)
  return i32.rem_u(x as I32, divisor(y1, y2))
}

/** x where `isChosen(x, y)`, else y. */
const choose =
  (isChosen: (x: I32, y: I32) => I32): Spelling =>
  ([x, y], share) => {
    const [x1, x2] = share('i32', x as I32)
    const [y1, y2] = share('i32', y as I32)
    return i32.select(isChosen(x2, y2), x1, y1)
  }

/** |x| = (x xor s) − s, with s = −1 for negative x, else 0. */
const absolute = unary<'i32'>((x, share) => {
  const [x1, x2] = share('i32', x)
  const [s1, s2] = share('i32', i32.shr_s(x2, 31))
  return i32.sub(i32.xor(x1, s1), s2)
})

const signOfI32 = unary<'i32'>((x, share) => {
  const [x1, x2] = share('i32', x)
  return i32.sub(i32.gt_s(x1, 0), i32.lt_s(x2, 0))
})

/** ±1 with the sign of x; ±0 and NaN are themselves. */
const signOfF32 = unary<'f32'>((x, share) => {
  const [x1, x2] = share('f32', x)
  return f32.select(f32.gt(f32.abs(x2), 0), f32.copysign(1, x1), x2)
})

/** x, or `bound` where x is beyond it. */
const notBeyond = (bound: number, isBeyond: (x: I32, bound: number) => I32): Spelling =>
  unary<'i32'>((x, share) => {
    const [x1, x2] = share('i32', x)
    return i32.select(isBeyond(x2, bound), bound, x1)
  })

type ByType = { readonly [D in DType]?: Spelling }

const integer = (spelling: Spelling): ByType => ({ i32: spelling, u32: spelling })

/** Both sides are computed, so it does not matter of which type they are. */
const select: Spelling = ([condition, then, otherwise]) => ({ tag: 'select', then: then!, else: otherwise!, condition: condition! })

/** By the type of the first operand. Floats are those of IEEE 754, integers wrap, and casts saturate. */
export const spellings: { readonly [O in LoopOp]: ByType } = {
  neg: { f32: unary(f32.neg), ...integer(unary<'i32'>((x) => i32.sub(0, x))) },
  abs: { f32: unary(f32.abs), i32: absolute, u32: same },
  sign: { f32: signOfF32, i32: signOfI32, u32: unary<'i32'>((x) => i32.ne(x, 0)) },
  recip: { f32: unary<'f32'>((x) => f32.div(1, x)) },
  exp: { f32: math('exp') },
  expm1: { f32: math('expm1') },
  log: { f32: math('log') },
  log1p: { f32: math('log1p') },
  sqrt: { f32: unary(f32.sqrt) },
  rsqrt: { f32: unary<'f32'>((x) => f32.demote_f64(f64.div(1, f64.sqrt(f64.promote_f32(x))))) }, // rounded once
  sin: { f32: math('sin') },
  cos: { f32: math('cos') },
  tanh: { f32: math('tanh') },
  erf: { f32: math('erf') },
  sigmoid: { f32: math('sigmoid') },
  softplus: { f32: math('softplus') },
  floor: { f32: unary(f32.floor) },
  add: { f32: binary(f32.add), ...integer(binary(i32.add)) },
  sub: { f32: binary(f32.sub), ...integer(binary(i32.sub)) },
  mul: { f32: binary(f32.mul), ...integer(binary(i32.mul)) },
  div: { f32: binary(f32.div) },
  pow: { f32: math2('pow') },
  mod: { f32: math2('mod'), i32: floorMod, u32: remainderOfU32 },
  min: { f32: binary(f32.min), i32: choose(i32.lt_s), u32: choose(i32.lt_u) },
  max: { f32: binary(f32.max), i32: choose(i32.gt_s), u32: choose(i32.gt_u) },
  less: { f32: binary(f32.lt), i32: binary(i32.lt_s), u32: binary(i32.lt_u) },
  lessEqual: { f32: binary(f32.le), i32: binary(i32.le_s), u32: binary(i32.le_u) },
  equal: { f32: binary(f32.eq), ...integer(binary(i32.eq)) },
  and: { bool: binary(i32.and) },
  or: { bool: binary(i32.or) },
  not: { bool: unary(i32.eqz) },
  bitAnd: integer(binary(i32.and)),
  bitOr: integer(binary(i32.or)),
  bitXor: integer(binary(i32.xor)),
  shiftLeft: integer(binary(i32.shl)),
  shiftRight: { i32: binary(i32.shr_s), u32: binary(i32.shr_u) },
  select: { bool: select },
  toF32: {
    f32: same,
    i32: unary(f32.convert_i32_s),
    u32: unary(f32.convert_i32_u),
    bool: unary(f32.convert_i32_u),
  },
  toI32: { f32: unary(i32.trunc_sat_f32_s), i32: same, u32: notBeyond(0x7fffffff, i32.gt_u), bool: same },
  toU32: { f32: unary(i32.trunc_sat_f32_u), i32: notBeyond(0, i32.lt_s), u32: same, bool: same },
  toBool: { f32: unary<'f32'>((x) => f32.ne(x, 0)), ...integer(unary<'i32'>((x) => i32.ne(x, 0))), bool: same },
  floatBits: { f32: unary(i32.reinterpret_f32) },
  bitsToF32: { u32: unary(f32.reinterpret_i32) },
  bitsToI32: { u32: same },
  bitsToU32: { i32: same },
  threefry0: { u32: block('threefry0') },
  threefry1: { u32: block('threefry1') },
  quotient: { i32: binary(i32.div_s) },
  remainder: { i32: binary(i32.rem_s) },
}
