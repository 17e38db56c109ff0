import type { ScalarOp } from '../../dsl/index.js'

/** What is known of a tensor's elements: they lie within [low, high] and are multiples of 2^−grid; ∞ where nothing is known of that. */
export interface Range {
  readonly low: number
  readonly high: number
  readonly grid: number
}

export const magnitude = ({ low, high }: Range): number => Math.max(Math.abs(low), Math.abs(high))

/** Whether f32 holds every element exactly, with digits to spare for sums: what may decide a comparison without rounding having a say. */
export const isExact = (range: Range): boolean => magnitude(range) * 2 ** range.grid < 2 ** 20

const range = (low: number, high: number, grid = Infinity): Range => ({ low, high, grid })

export const point = (value: number): Range =>
  range(value, value, [0, 1, 2, 3, 4].find((g) => Number.isInteger(value * 2 ** g)) ?? Infinity)

export const hull = (a: Range, b: Range): Range => range(Math.min(a.low, b.low), Math.max(a.high, b.high), Math.max(a.grid, b.grid))

/** Of a sum of up to n such elements. */
export const repeated = ({ low, high, grid }: Range, n: number): Range => range(Math.min(0, n * low), Math.max(0, n * high), grid)

type Rule = (...operands: readonly Range[]) => Range

const monotone =
  (f: (x: number) => number, grid?: number): Rule =>
  (...[x]) =>
    range(f(x!.low), f(x!.high), grid)

const pair =
  (f: (x: Range, y: Range) => Range): Rule =>
  (...[x, y]) =>
    f(x!, y!)

const corners = (x: Range, y: Range, f: (a: number, b: number) => number, grid: number): Range => {
  const values = [f(x.low, y.low), f(x.low, y.high), f(x.high, y.low), f(x.high, y.high)]
  return range(Math.min(...values), Math.max(...values), grid)
}

const truth: Rule = () => range(0, 1, 0)

/** As many binary digits as the operands have. */
const words: Rule = (...[x, y]) => {
  const all = 2 ** Math.ceil(Math.log2(Math.max(magnitude(x!), magnitude(y!)) + 1))
  return range(Math.min(x!.low, y!.low) < 0 ? -all : 0, all - 1, 0)
}

const float = (bits: number): number => new Float32Array(Uint32Array.of(bits).buffer)[0]!

/** Where a scalar operation's result lies, its operands being in its domain. */
export const ranges: { readonly [O in ScalarOp]: Rule } = {
  neg: (...[x]) => range(-x!.high, -x!.low, x!.grid),
  abs: (...[x]) => range(Math.max(0, x!.low, -x!.high), magnitude(x!), x!.grid),
  sign: monotone(Math.sign, 0),
  recip: (...[x]) => range(1 / x!.high, 1 / x!.low),
  exp: monotone(Math.exp),
  expm1: monotone(Math.expm1),
  log: monotone(Math.log),
  log1p: monotone(Math.log1p),
  sqrt: monotone(Math.sqrt),
  rsqrt: (...[x]) => range(1 / Math.sqrt(x!.high), 1 / Math.sqrt(x!.low)),
  sin: () => range(-1, 1),
  cos: () => range(-1, 1),
  tanh: monotone(Math.tanh),
  erf: (...[x]) => range(x!.low < 0 ? -1 : 0, x!.high > 0 ? 1 : 0),
  sigmoid: monotone((x) => 1 / (1 + Math.exp(-x))),
  softplus: monotone((x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x)))),
  floor: monotone(Math.floor, 0),
  add: pair((x, y) => range(x.low + y.low, x.high + y.high, Math.max(x.grid, y.grid))),
  sub: pair((x, y) => range(x.low - y.high, x.high - y.low, Math.max(x.grid, y.grid))),
  mul: pair((x, y) => corners(x, y, (a, b) => a * b, x.grid + y.grid)),
  div: pair((x, y) => corners(x, y, (a, b) => a / b, Infinity)),
  pow: pair((x, y) => corners(x, y, Math.pow, Infinity)),
  mod: pair((x, y) => range(Math.min(0, y.low), Math.max(0, y.high), Math.max(x.grid, y.grid))),
  min: pair((x, y) => range(Math.min(x.low, y.low), Math.min(x.high, y.high), Math.max(x.grid, y.grid))),
  max: pair((x, y) => range(Math.max(x.low, y.low), Math.max(x.high, y.high), Math.max(x.grid, y.grid))),
  less: truth,
  lessEqual: truth,
  equal: truth,
  and: truth,
  or: truth,
  not: truth,
  bitAnd: words,
  bitOr: words,
  bitXor: words,
  shiftLeft: pair((x, y) => corners(x, y, (a, b) => a * 2 ** b, 0)),
  shiftRight: pair((x, y) => corners(x, y, (a, b) => Math.floor(a / 2 ** b), 0)),
  select: (...[, x, y]) => hull(x!, y!),
  toF32: (...[x]) => x!,
  toI32: monotone(Math.trunc, 0),
  toU32: monotone((x) => Math.max(0, Math.trunc(x)), 0),
  toBool: truth,
  floatBits: () => range(0, 2 ** 32 - 1, 0),
  bitsToF32: monotone(float),
  bitsToI32: (...[x]) => (x!.high < 2 ** 31 ? x! : range(-(2 ** 31), 2 ** 31 - 1, 0)),
  threefry0: () => range(0, 2 ** 32 - 1, 0),
  threefry1: () => range(0, 2 ** 32 - 1, 0),
  bitsToU32: (...[x]) => (x!.low >= 0 ? x! : range(0, 2 ** 32 - 1, 0)),
}
