import { type Arithmetic, float32, float64, least, type ScalarTable } from '../../backends/cpu/evaluate.js'
import type { DType, ScalarOp } from '../../dsl/index.js'
import { anything, type Bounded, exactly, given, isCertain, mayBeZero, monotone, sumOf } from './bounded.js'
import { and, equal, greater, less, lessEqual, not, or, select, smaller, toBool } from './decisions.js'
import { type Integer, whole, wholeSum } from './integers.js'
import { type Apply, remembered } from './remembered.js'

/**
 * How far from the exact result every backend may be, in units of the last place of the result: also where the result is near 0.
 * `select`, comparisons and the like are exact.
 */
export const ulps: { readonly [O in ScalarOp]: number } = {
  neg: 0,
  abs: 0,
  sign: 0,
  recip: 3,
  exp: 4,
  expm1: 4,
  log: 4,
  log1p: 4,
  sqrt: 3,
  rsqrt: 3,
  tanh: 4,
  sigmoid: 4,
  softplus: 4,
  floor: 0,
  add: 0.5,
  sub: 0.5,
  mul: 0.5,
  div: 3,
  min: 0,
  max: 0,
  less: 0,
  lessEqual: 0,
  equal: 0,
  and: 0,
  or: 0,
  not: 0,
  select: 0,
  toF32: 1,
  toI32: 0,
  toU32: 0,
  toBool: 0,
}

const numbers = float64.scalar('f32')

/** An operation of floats that rises or falls throughout in each operand. */
const float = (op: ScalarOp): Apply => monotone(numbers[op], ulps[op])

/** As `float`, where the last operand is not 0. At 0 it jumps, and which infinity it gives depends on a sign of 0 that nobody promises. */
const awayFromZero = (op: ScalarOp): Apply => {
  const away = float(op)
  return (...operands) => {
    const result = away(...operands)
    return operands.slice(-1).some(mayBeZero) && !isCertainNaN(result) ? anything(result.value) : result
  }
}

const isCertainNaN = (x: Bounded): boolean => isCertain(x) && Number.isNaN(x.value)

/** A whole number that is a float32 converts exactly. */
const toF32: Apply = (x) => (isCertain(x) && Math.fround(x.value) === x.value ? x : float('toF32')(x))

const floats: ScalarTable<Bounded> = {
  neg: float('neg'),
  abs: float('abs'), // not monotone, but the corner farther from 0 is as far from the value as any point
  sign: float('sign'),
  recip: awayFromZero('recip'),
  exp: float('exp'),
  expm1: float('expm1'),
  log: float('log'),
  log1p: float('log1p'),
  sqrt: float('sqrt'),
  rsqrt: awayFromZero('rsqrt'),
  tanh: float('tanh'),
  sigmoid: float('sigmoid'),
  softplus: float('softplus'),
  floor: float('floor'),
  add: float('add'),
  sub: float('sub'),
  mul: float('mul'),
  div: awayFromZero('div'),
  min: smaller,
  max: greater,
  less,
  lessEqual,
  equal,
  and,
  or,
  not,
  select,
  toF32,
  toI32: float('toI32'),
  toU32: float('toU32'),
  toBool,
}

const integers = (dtype: Integer): ScalarTable<Bounded> => ({
  ...floats,
  neg: whole(dtype, 'neg', (x) => -x),
  abs: whole(dtype, 'abs', Math.abs),
  sign: whole(dtype, 'sign', Math.sign),
  add: whole(dtype, 'add', (x, y) => x + y),
  sub: whole(dtype, 'sub', (x, y) => x - y),
  mul: whole(dtype, 'mul', (x, y) => x * y),
})

const tables: { readonly [D in DType]: ScalarTable<Bounded> } = {
  f32: floats,
  i32: integers('i32'),
  u32: integers('u32'),
  bool: floats,
}

const rememberedTable = (table: ScalarTable<Bounded>): ScalarTable<Bounded> =>
  Object.fromEntries(Object.entries(table).map(([op, apply]) => [op, remembered(apply)])) as unknown as ScalarTable<Bounded>

/**
 * Values with their errors, for one run. The same operation on the same elements is the same element: a backend rounds it
 * alike each time, so that a value is sure to equal itself, and a maximum the element that attains it.
 */
export const bounds = (): Arithmetic<Bounded> => {
  const own: { readonly [D in DType]: ScalarTable<Bounded> } = {
    f32: rememberedTable(tables.f32),
    i32: rememberedTable(tables.i32),
    u32: rememberedTable(tables.u32),
    bool: rememberedTable(tables.bool),
  }
  return {
    element: (dtype, value) => (dtype === 'f32' ? given(value) : exactly(float32.element(dtype, value))),
    scalar: (result) => own[result],
    sum: (dtype, terms) => (dtype === 'f32' ? sumOf(terms) : wholeSum(dtype, terms)),
    max: (dtype, terms) => terms.reduce((greatest, x) => own[dtype].max(greatest, x), exactly(least[dtype])),
    place: (id) => (isCertain(id) ? id.value : undefined),
    anything: () => anything(NaN),
  }
}
