import { type Arithmetic, float32, float64, greatest as greatestOf, least, type ScalarTable } from '../../backends/cpu/evaluate.js'
import type { DType, ScalarOp } from '../../dsl/index.js'
import {
  anything,
  type Bounded,
  exactly,
  given,
  high,
  isCertain,
  low,
  mayBeAnything,
  mayBeZero,
  monotone,
  roundingOf,
  sumOf,
  within,
} from './bounded.js'
import { and, argGreatest, argSorted, equal, greater, less, lessEqual, not, or, select, smaller, toBool } from './decisions.js'
import { bits, type Integer, whole, wholeSum } from './integers.js'
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
  sin: 4,
  cos: 4,
  tanh: 4,
  erf: 4,
  sigmoid: 4,
  softplus: 4,
  floor: 0,
  add: 0.5,
  sub: 0.5,
  mul: 0.5,
  div: 3,
  pow: 4,
  mod: 0.5,
  min: 0,
  max: 0,
  less: 0,
  lessEqual: 0,
  equal: 0,
  and: 0,
  or: 0,
  not: 0,
  bitAnd: 0,
  bitOr: 0,
  bitXor: 0,
  shiftLeft: 0,
  shiftRight: 0,
  select: 0,
  toF32: 1,
  toI32: 0,
  toU32: 0,
  toBool: 0,
  floatBits: 0,
  bitsToF32: 0,
  bitsToI32: 0,
  bitsToU32: 0,
  threefry0: 0,
  threefry1: 0,
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

/** A function that goes nowhere faster than its operand and stays within ±1. */
const wave = (op: 'sin' | 'cos'): Apply => {
  const f = numbers[op]
  return (x) => {
    const value = f(x.value)
    if (mayBeAnything(x)) return anything(value)
    if (!Number.isFinite(value)) return isCertain(x) ? exactly(value) : anything(value)
    const spread = Math.min(2, x.error)
    const magnitude = Math.min(1, Math.abs(value) + spread)
    return magnitude === 0 ? exactly(value) : within(value, spread + roundingOf(ulps[op], magnitude), 1)
  }
}

/** Of a number above zero monotone in both; of another, only certain numbers tell what comes. */
const pow: Apply = (x, y) => {
  const power = float('pow')(x, y)
  return (isCertain(x) && isCertain(y) && !(x.value === 0 && y.value < 0)) || low(x) > 0 ? power : anything(power.value)
}

/** x − n·y with the same whole n at every corner is monotone; else anything between 0 and y. */
const mod: Apply = (x, y) => {
  const value = numbers.mod(x.value, y.value)
  if (mayBeAnything(x) || mayBeAnything(y) || (mayBeZero(y) && !isCertain(y))) return anything(value)
  if (isCertain(x) && isCertain(y)) return float('mod')(x, y)
  const whole = Math.floor(x.value / y.value)
  const floors = [low(x), high(x)].flatMap((a) => [low(y), high(y)].map((b) => Math.floor(a / b)))
  const most = Math.max(Math.abs(low(y)), Math.abs(high(y)))
  if (!Number.isFinite(value) || !Number.isFinite(most)) return anything(value)
  return floors.every((n) => n === whole) ? monotone((a, b) => a - whole * b, ulps.mod)(x, y) : within(value, most * 1.001, most)
}

/** Nobody promises the sign of a zero, nor which NaN it is. */
const floatBits: Apply = (x) => {
  const value = numbers.floatBits(x.value)
  return isCertain(x) && x.value !== 0 && Math.fround(x.value) === x.value ? exactly(value) : anything(value)
}

const bitsToF32: Apply = (x) => (isCertain(x) ? given(numbers.bitsToF32(x.value)) : anything(numbers.bitsToF32(x.value)))

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
  sin: wave('sin'),
  cos: wave('cos'),
  tanh: float('tanh'),
  erf: float('erf'),
  sigmoid: float('sigmoid'),
  softplus: float('softplus'),
  floor: float('floor'),
  add: float('add'),
  sub: float('sub'),
  mul: float('mul'),
  div: awayFromZero('div'),
  pow,
  mod,
  min: smaller,
  max: greater,
  less,
  lessEqual,
  equal,
  and,
  or,
  not,
  bitAnd: bits('u32', 'bitAnd'),
  bitOr: bits('u32', 'bitOr'),
  bitXor: bits('u32', 'bitXor'),
  shiftLeft: bits('u32', 'shiftLeft'),
  shiftRight: bits('u32', 'shiftRight'),
  select,
  toF32,
  toI32: float('toI32'),
  toU32: float('toU32'),
  toBool,
  floatBits,
  bitsToF32,
  bitsToI32: bits('i32', 'bitsToI32'),
  bitsToU32: bits('u32', 'bitsToU32'),
  threefry0: bits('u32', 'threefry0'),
  threefry1: bits('u32', 'threefry1'),
}

const integers = (dtype: Integer): ScalarTable<Bounded> => ({
  ...floats,
  neg: whole(dtype, 'neg', (x) => -x),
  abs: whole(dtype, 'abs', Math.abs),
  sign: whole(dtype, 'sign', Math.sign),
  add: whole(dtype, 'add', (x, y) => x + y),
  sub: whole(dtype, 'sub', (x, y) => x - y),
  mul: whole(dtype, 'mul', (x, y) => x * y),
  mod: bits(dtype, 'mod'),
  bitAnd: bits(dtype, 'bitAnd'),
  bitOr: bits(dtype, 'bitOr'),
  bitXor: bits(dtype, 'bitXor'),
  shiftLeft: bits(dtype, 'shiftLeft'),
  shiftRight: bits(dtype, 'shiftRight'),
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
  // The same element is negated to the same element.
  const negated = remembered(({ value, error }) => ({ value: -value, error }))
  return {
    element: (dtype, value) => (dtype === 'f32' ? given(value) : exactly(float32.element(dtype, value))),
    scalar: (result) => own[result],
    sum: (dtype, terms) => (dtype === 'f32' ? sumOf(terms) : wholeSum(dtype, terms)),
    max: (dtype, terms) => terms.reduce((greatest, x) => own[dtype].max(greatest, x), exactly(least[dtype])),
    min: (dtype, terms) => terms.reduce((smallest, x) => own[dtype].min(smallest, x), exactly(greatestOf[dtype])),
    argMax: argGreatest,
    argMin: (terms) => argGreatest(terms.map((x) => negated(x))),
    argSort: argSorted,
    place: (id) => (isCertain(id) ? id.value : undefined),
    anything: () => anything(NaN),
  }
}
