import fc from 'fast-check'
import {
  type AnyTensor,
  axisNames,
  axisOf,
  bool,
  build,
  defineLoss,
  f32,
  type Loss,
  type Scalar,
  type ScalarOp,
  sizes,
} from '../../dsl/index.js'
import { type CheckOptions, each, type Elements, inOneOf, numbers } from '../../verify/index.js'

/** A loss to be verified, and how. */
export interface Verifiable {
  readonly loss: Loss<never>
  readonly options: CheckOptions
}

const { binary, map, select, sum } = build

const any: Elements = inOneOf(numbers(-2, 2), each(fc.constantFrom(0, 1, -1, 0.5)))
const positive = numbers(0.25, 3)
const reals = (min: number, max: number): Elements => each(fc.double({ min, max, noNaN: true }))
const few = each(fc.constantFrom(0, 1, 2))

/** The numbers that each operand may be. A new operation does not compile without a row; none where it is not for floats. */
const domains: { readonly [O in ScalarOp]: readonly Elements[] } = {
  neg: [any],
  abs: [any],
  sign: [any],
  recip: [positive],
  exp: [any],
  expm1: [any],
  log: [positive],
  log1p: [positive],
  sqrt: [positive],
  rsqrt: [positive],
  sin: [any],
  cos: [any],
  tanh: [any],
  erf: [any],
  sigmoid: [any],
  softplus: [any],
  floor: [any],
  add: [any, any],
  sub: [any, any],
  mul: [any, any],
  div: [any, positive],
  // Where x is 0 or y is 0 the general formula has no number.
  pow: [inOneOf(positive, few), few],
  // A quotient that is whole but for rounding, and here rounding matters: n·y begins with 1, n with almost 2.
  mod: [inOneOf(numbers(-4, 4), reals(257, 258)), inOneOf(positive, reals(1.01, 1.03))],
  min: [any, any],
  max: [any, any],
  select: [any, any],
  toF32: [any],
  less: [],
  lessEqual: [],
  equal: [],
  and: [],
  or: [],
  not: [],
  bitAnd: [],
  bitOr: [],
  bitXor: [],
  shiftLeft: [],
  shiftRight: [],
  toI32: [],
  toU32: [],
  toBool: [],
  floatBits: [],
  bitsToF32: [],
  bitsToI32: [],
  bitsToU32: [],
  threefry0: [],
  threefry1: [],
}

export const isOfFloats = (op: ScalarOp): boolean => domains[op].length > 0

const specs = { scale: f32('batch'), weight: f32('batch', 'time'), x: f32('batch', 'time'), y: f32('time'), mask: bool('batch', 'time') }

type Given = { readonly [K in keyof typeof specs]: AnyTensor }

/** Σ weight · op(x, y), where y is the same for every row. */
const plain =
  (op: ScalarOp) =>
  ({ weight, x, y, mask }: Given): AnyTensor => {
    const made = op === 'select' ? select(mask, x, y) : map(op, ...[x, y].slice(0, domains[op].length))
    return sum('batch', 'time')(binary('mul')(weight, made))
  }

/** √ where the mask is true, the rest being 0: slopes without end that the mask has to keep out, of either branch. */
const behindMask = ({ weight, x, mask }: Given): AnyTensor => {
  const square = binary('add')(binary('mul')(x, x), 0.5)
  const [shown, hidden] = [map('sqrt', select(mask, square, 0)), map('sqrt', select(mask, 0, square))]
  return sum('batch', 'time')(binary('mul')(weight, binary('add')(select(mask, shown, 0), select(mask, 0, hidden))))
}

/** √ of x kept above 0, or below, shown where it is: its slope at 0 has no end, and the x that is hidden must not get it. */
const atFloor =
  (op: 'min' | 'max') =>
  ({ weight, x }: Given): AnyTensor => {
    const zero = build.constant(0)
    const [shown, positive] =
      op === 'max' ? [binary('less')(0, x), (y: AnyTensor) => y] : [binary('less')(x, 0), (y: AnyTensor) => map('neg', y)]
    const root = (bounded: AnyTensor) => select(shown, map('sqrt', positive(bounded)), 0)
    return sum('batch', 'time')(binary('mul')(weight, binary('add')(root(map(op, x, zero)), root(map(op, zero, x)))))
  }

/** √ of the greater of x and −1, or of the lesser of x and 9: where x is 0, a slope without end that a bound far away leaves as it is. */
const farFromBound =
  (op: 'min' | 'max') =>
  ({ x }: Given): AnyTensor => {
    const bound = build.constant(op === 'max' ? -1 : 9)
    return sum('batch', 'time')(binary('add')(map('sqrt', map(op, x, bound)), map('sqrt', map(op, bound, x))))
  }

/** x⁰, which is 1 and flat whatever x is, a NaN too. */
const toNothing = ({ weight, x }: Given): AnyTensor => sum('batch', 'time')(binary('mul')(weight, binary('pow')(x, build.filled(0, x))))

/** What is read at computed places, of which some are not there: a NaN that does not change. */
const readOutside = ({ x }: Given): AnyTensor => {
  const places = binary('sub')(build.iota('place', sizes.literal(4)), 1)
  return sum('batch', 'place')(build.gather('time')(places)(x))
}

const squared = (x: AnyTensor): AnyTensor => sum(...axisNames(x))(binary('mul')(x, x))

/** Sums of what lies at places of which some are not there. */
const addedOutside = ({ x, y }: Given): AnyTensor => {
  const places = binary('sub')(build.iota('time', axisOf(y, 'time')!.size), 1)
  return squared(build.scatterAdd('group', places, sizes.literal(2), ['time'])(x))
}

/** Put at the places −1, 1, 1, −1 and again, counted along some axes: nowhere, and over what was put before. */
const putOutside =
  (...along: readonly string[]) =>
  ({ scale, x }: Given): AnyTensor => {
    const number = build.ordinals(along.map((name) => ({ name, size: sizes.literal(2) })))
    const inFour = binary('mod')(number, 4)
    const places = binary('sub')(binary('mul')(inFour, binary('sub')(3, inFour)), 1)
    return squared(build.scatterSet('time', places)(x, build.contract()(scale, map('toF32', number))))
  }

const verifiable = (name: string, body: (given: Given) => AnyTensor, [x = any, y = any]: readonly Elements[]): Verifiable => ({
  loss: defineLoss({ name, inputs: specs, loss: (given) => body(given) as Scalar }) as unknown as Loss<never>,
  options: { ranges: { x, y } },
})

/** The same of the greatest of a row and 0, or of the least. */
const rowAtFloor =
  (reduction: 'min' | 'max') =>
  ({ weight, x }: Given): AnyTensor => {
    const most = build[reduction]('time')(build.concat('time')(x, build.filled(0, x)))
    const height = reduction === 'max' ? most : map('neg', most)
    return sum('batch', 'time')(binary('mul')(weight, select(binary('less')(0, height), map('sqrt', height), 0)))
  }

/** e to the greatest of a row that may be empty: then it is −∞, and its exponential a number. */
const ofSome =
  (reduction: 'min' | 'max') =>
  ({ scale, x, y }: Given): AnyTensor => {
    const most = build[reduction]('time')(binary('mul')(x, y))
    const small = map('exp', reduction === 'max' ? most : map('neg', most))
    return sum('batch')(binary('mul')(scale, small))
  }

const squares = each(fc.constantFrom(0, 4, 1))

const awayFromZero = each(fc.constantFrom(1, 2, 0.5, -1, -2))

const ofReduction = (reduction: 'min' | 'max'): readonly Verifiable[] => {
  const { loss, options } = verifiable('of some', ofSome(reduction), [])
  return [verifiable('a row at a floor', rowAtFloor(reduction), [awayFromZero]), { loss, options: { ...options, sizes: { time: [0, 2] } } }]
}

const special: Readonly<Record<string, readonly Verifiable[]>> = {
  'map select': [verifiable('behind a mask', behindMask, [])],
  'map min': [
    verifiable('below a ceiling', atFloor('min'), [awayFromZero]),
    verifiable('far from a bound', farFromBound('min'), [squares]),
  ],
  'map max': [verifiable('above a floor', atFloor('max'), [awayFromZero]), verifiable('far from a bound', farFromBound('max'), [squares])],
  'map pow': [verifiable('to the power 0', toNothing, [each(fc.constantFrom(NaN, 0, 1, -2))])],
  gather: [verifiable('read outside', readOutside, [])],
  scatterAdd: [verifiable('added outside', addedOutside, [])],
  scatterSet: [
    verifiable('put along two', putOutside('row', 'place'), []),
    verifiable('along three', putOutside('part', 'row', 'place'), []),
  ],
  min: ofReduction('min'),
  max: ofReduction('max'),
}

/** Losses in which what has a name stands at its edges: a scalar operation with the whole of its domain before it, a mask before a pole. */
export const lossesOf = (name: string): readonly Verifiable[] => {
  const op = Object.keys(domains).find((own) => name === `map ${own}`) as ScalarOp | undefined
  return [...(op === undefined || domains[op].length === 0 ? [] : [verifiable(op, plain(op), domains[op])]), ...(special[name] ?? [])]
}
