import { type DType, type Order, random } from '../../../dsl/index.js'
import type { Arithmetic, ScalarTable } from './arithmetic.js'

type Fit = (x: number) => number
type Two = (x: number, y: number) => number

const asI32: Fit = (x) => x | 0
const asU32: Fit = (x) => x >>> 0
const asBool = (x: boolean | number): number => (x ? 1 : 0)

/** Towards zero and within the type: what is too great is the greatest, NaN is 0. From an integer as from a float. */
const saturated = (least: number, greatest: number) => (x: number) =>
  Number.isNaN(x) ? 0 : Math.min(greatest, Math.max(least, Math.trunc(x))) + 0

export const toI32 = saturated(-(2 ** 31), 2 ** 31 - 1)
export const toU32 = saturated(0, 2 ** 32 - 1)

const words = new DataView(new ArrayBuffer(4))

/** 2/√π·e^{−x²}·Σ 2ⁿ·x²ⁿ⁺¹/(2n + 1)!!: every term has the sign of x. From 6 on it is 1 in float64. */
const erf = (x: number): number => {
  if (!(Math.abs(x) < 6)) return Math.sign(x)
  let [term, sum] = [x, x]
  for (let n = 1; Math.abs(term) > Math.abs(sum) * 2 ** -60; n++) {
    term *= (2 * x * x) / (2 * n + 1)
    sum += term
  }
  return (2 / Math.sqrt(Math.PI)) * Math.exp(-x * x) * sum
}

/** C's pow: where JavaScript's ** says NaN, 1ʸ is 1, and so is (−1)^±∞. */
const pow = (x: number, y: number): number => (x === 1 || (x === -1 && Math.abs(y) === Infinity) ? 1 : x ** y)

const mod = (x: number, y: number): number => {
  const rest = x % y
  return rest !== 0 && rest < 0 !== y < 0 ? rest + y : rest
}

/**
 * The scalar operations on numbers, each result made to fit its type: floats are rounded, integers wrap. A bool is 0 or 1.
 * sign(±0) = ±0; an integer modulo 0 is 0; a comparison with NaN is false, and NaN as a bool is true.
 */
const table = (fit: Fit, product: Two, shiftRight: Two = (x, y) => x >> y): ScalarTable<number> => ({
  neg: (x) => fit(-x),
  abs: (x) => fit(Math.abs(x)),
  sign: (x) => Math.sign(x),
  recip: (x) => fit(1 / x),
  exp: (x) => fit(Math.exp(x)),
  expm1: (x) => fit(Math.expm1(x)),
  log: (x) => fit(Math.log(x)),
  log1p: (x) => fit(Math.log1p(x)),
  sqrt: (x) => fit(Math.sqrt(x)),
  rsqrt: (x) => fit(1 / Math.sqrt(x)),
  sin: (x) => fit(Math.sin(x)),
  cos: (x) => fit(Math.cos(x)),
  tanh: (x) => fit(Math.tanh(x)),
  erf: (x) => fit(erf(x)),
  sigmoid: (x) => fit(1 / (1 + Math.exp(-x))),
  softplus: (x) => fit(Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))),
  floor: (x) => Math.floor(x),
  add: (x, y) => fit(x + y),
  sub: (x, y) => fit(x - y),
  mul: (x, y) => fit(product(x, y)),
  div: (x, y) => fit(x / y),
  pow: (x, y) => fit(pow(x, y)),
  mod: (x, y) => fit(mod(x, y)),
  min: (x, y) => Math.min(x, y),
  max: (x, y) => Math.max(x, y),
  less: (x, y) => asBool(x < y),
  lessEqual: (x, y) => asBool(x <= y),
  equal: (x, y) => asBool(x === y),
  and: (x, y) => asBool(x && y),
  or: (x, y) => asBool(x || y),
  not: (x) => asBool(!x),
  bitAnd: (x, y) => fit(x & y),
  bitOr: (x, y) => fit(x | y),
  bitXor: (x, y) => fit(x ^ y),
  shiftLeft: (x, y) => fit(x << y),
  shiftRight: (x, y) => fit(shiftRight(x, y)),
  select: (condition, x, y) => (condition ? x : y),
  toF32: (x) => fit(x),
  toI32: (x) => toI32(x),
  toU32: (x) => toU32(x),
  toBool: (x) => asBool(x !== 0),
  floatBits: (x) => {
    words.setFloat32(0, x)
    return words.getUint32(0)
  },
  bitsToF32: (x) => {
    words.setUint32(0, x)
    return words.getFloat32(0)
  },
  bitsToI32: (x) => asI32(x),
  bitsToU32: (x) => asU32(x),
  threefry0: (k0, k1, c0, c1) => random.threefry([k0, k1], [c0, c1])[0],
  threefry1: (k0, k1, c0, c1) => random.threefry([k0, k1], [c0, c1])[1],
})

/** What the least of no elements is. */
export const greatest: { readonly [D in DType]: number } = { f32: Infinity, i32: 2 ** 31 - 1, u32: 2 ** 32 - 1, bool: 1 }

/** What the greatest of no elements is. */
export const least: { readonly [D in DType]: number } = { f32: -Infinity, i32: -(2 ** 31), u32: 0, bool: 0 }

const times = (x: number, y: number): number => x * y

const argMax = (terms: readonly number[]): number => {
  const unknown = terms.findIndex(Number.isNaN)
  return unknown >= 0 ? unknown : terms.reduce((best, x, i) => (x > terms[best]! ? i : best), 0)
}

/** Below 0 where x is before y; NaN is the greatest. */
export const compareNumbers = (x: number, y: number): number =>
  Number.isNaN(x) || Number.isNaN(y) ? Number(Number.isNaN(x)) - Number(Number.isNaN(y)) : x - y || 0

const argSort = (terms: readonly number[], order: Order): readonly number[] => {
  const sign = order === 'ascending' ? 1 : -1
  return terms.map((_, i) => i).toSorted((i, j) => sign * compareNumbers(terms[i]!, terms[j]!))
}

/** Numbers, with every float rounded by `round`. */
const numbers = (round: Fit): Arithmetic<number> => {
  const fits: { readonly [D in DType]: Fit } = { f32: round, i32: asI32, u32: asU32, bool: (x) => asBool(x !== 0) }
  const tables: { readonly [D in DType]: ScalarTable<number> } = {
    f32: table(round, times),
    i32: table(asI32, Math.imul),
    u32: table(asU32, Math.imul, (x, y) => x >>> y),
    bool: table(fits.bool, times),
  }
  return {
    element: (dtype, value) => fits[dtype](value),
    scalar: (result) => tables[result],
    sum: (dtype, terms) => terms.reduce((sum, x) => fits[dtype](sum + x), 0),
    max: (dtype, terms) => terms.reduce((greatest, x) => Math.max(greatest, x), least[dtype]),
    min: (dtype, terms) => terms.reduce((smallest, x) => Math.min(smallest, x), greatest[dtype]),
    argMax,
    argMin: (terms) => argMax(terms.map((x) => -x)),
    argSort,
    place: (id) => id,
    anything: () => NaN,
  }
}

export const float64 = numbers((x) => x)
export const float32 = numbers(Math.fround)
