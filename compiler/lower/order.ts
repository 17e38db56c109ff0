import type { AnyTensor, DType, NodeOf } from '../../dsl/index.js'
import type { Exprs } from '../exprs.js'
import { type Expr, inLoops, type Statement } from '../loop-ir.js'
import { type Building, newVariable } from './building.js'
import { valueAt } from './computed.js'
import { type Fold, greatest, lowest } from './fold.js'
import { along, moved, type Place } from './place.js'
import { axesNamed, openLoops, storeAt } from './statements.js'

/** By the bits: a driver may take x ≠ x for false. */
const isNaN = ({ op, literal }: Exprs, x: Expr): Expr =>
  op('less', 'bool', literal(0x7f800000, 'u32'), op('bitAnd', 'u32', op('floatBits', 'u32', x), literal(0x7fffffff, 'u32')))

/** Keep the best element and its place; one that is only as good does not replace it, and a NaN is better than any number. */
export const extremePlace = (b: Building, { tag, x, axis }: NodeOf<'argMax' | 'argMin'>): Fold => {
  const { op, literal } = b.exprs
  const [best, acc] = [newVariable(b, 'best', x.dtype), newVariable(b, 'acc', 'i32')]
  const step = (at: Place): readonly Statement[] => {
    const value = valueAt(b, x, at)
    const better = tag === 'argMax' ? op('less', 'bool', best, value) : op('less', 'bool', value, best)
    const first = (): Expr => op('and', 'bool', isNaN(b.exprs, value), op('not', 'bool', isNaN(b.exprs, best)))
    const body: readonly Statement[] = [
      { tag: 'assign', name: best.name, value },
      { tag: 'assign', name: acc.name, value: along(at, axis) },
    ]
    return [{ tag: 'if', condition: x.dtype === 'f32' ? op('or', 'bool', better, first()) : better, body }]
  }
  return {
    axes: axesNamed(x, [axis]),
    begin: [
      { tag: 'var', name: best.name, value: tag === 'argMax' ? lowest(b, x.dtype) : greatest(b, x.dtype) },
      { tag: 'var', name: acc.name, value: literal(0) },
    ],
    step,
    value: acc,
  }
}

const signBit = 0x80000000
const everyBit = 0xffffffff

/**
 * A u32 that orders as the elements do. Of a float: its bits, the sign bit flipped, all of them flipped where it is negative; −0 is 0, and
 * a NaN is above all numbers. It looks at bits alone, so subnormals are ordered where arithmetic takes them for 0.
 */
const orderKey: { readonly [D in DType]: (exprs: Exprs, x: Expr) => Expr } = {
  f32: (exprs, x) => {
    const { op, literal } = exprs
    const u32 = (n: number): Expr => literal(n, 'u32')
    const bits = op('floatBits', 'u32', x)
    const signed = op('select', 'u32', op('equal', 'bool', bits, u32(signBit)), u32(0), bits)
    const flipped = op('select', 'u32', op('less', 'bool', signed, u32(signBit)), u32(signBit), u32(everyBit))
    return op('select', 'u32', isNaN(exprs, x), u32(everyBit), op('bitXor', 'u32', signed, flipped))
  },
  i32: ({ op, literal }, x) => op('bitXor', 'u32', op('bitsToU32', 'u32', x), literal(signBit, 'u32')),
  u32: (_exprs, x) => x,
  bool: ({ op }, x) => op('toU32', 'u32', x),
}

/** Each element counts those that come before it, equal ones by their places, and puts its place there: no two at one. */
export const sortedPlaces = (b: Building, { x, axis, order }: NodeOf<'argSort'>, y: AnyTensor, place: Place): readonly Statement[] => {
  const { op, literal, plus } = b.exprs
  const { loops, place: inner } = openLoops(b, axesNamed(x, [axis]), place)
  const keyAt = (at: Place): Expr => {
    const key = orderKey[x.dtype](b.exprs, valueAt(b, x, at))
    return order === 'ascending' ? key : op('bitXor', 'u32', key, literal(everyBit, 'u32'))
  }
  const [own, other, acc] = [keyAt(place), keyAt(inner), newVariable(b, 'acc', 'i32')]
  const earlier = op('and', 'bool', op('equal', 'bool', other, own), op('less', 'bool', along(inner, axis), along(place, axis)))
  const isBefore = op('or', 'bool', op('less', 'bool', other, own), earlier)
  return [
    { tag: 'var', name: acc.name, value: literal(0) },
    ...inLoops(loops, [{ tag: 'assign', name: acc.name, value: plus(acc, op('select', 'i32', isBefore, literal(1), literal(0))) }]),
    storeAt(b, y, moved(place, axis, acc), along(place, axis)),
  ]
}
