import type { AnyTensor, DType, NodeOf } from '../../dsl/index.js'
import type { Expr, Statement } from '../loop-ir.js'
import { type Building, numberExpr } from './building.js'
import { valueAt } from './computed.js'
import type { Place } from './place.js'
import { axesNamed, nest, openLoops, storeAt } from './statements.js'

/** Fold over the axes into an accumulator, in a fixed order, and store it. */
const fold = (
  b: Building,
  { x, over }: { readonly x: AnyTensor; readonly over: readonly string[] },
  y: AnyTensor,
  place: Place,
  start: Expr,
  step: (acc: Expr, at: Place) => Expr,
): readonly Statement[] => {
  const { loops, place: inner } = openLoops(b, axesNamed(x, over), place)
  const acc = b.exprs.variable('acc', y.dtype)
  return [
    { tag: 'var', name: 'acc', value: start },
    ...nest(loops, [{ tag: 'assign', name: 'acc', value: step(acc, inner) }]),
    storeAt(b, y, place, acc),
  ]
}

export const greatest = (b: Building, dtype: DType): Expr =>
  numberExpr(b, { f32: Infinity, i32: 2147483647, u32: 4294967295, bool: 1 }[dtype], dtype)

export const lowest = (b: Building, dtype: DType): Expr =>
  numberExpr(b, { f32: -Infinity, i32: -2147483648, u32: 0, bool: 0 }[dtype], dtype)

export const sum = (b: Building, node: NodeOf<'sum'>, y: AnyTensor, place: Place): readonly Statement[] =>
  fold(b, node, y, place, b.exprs.literal(0, y.dtype), (acc, at) => b.exprs.op('add', y.dtype, acc, valueAt(b, node.x, at)))

export const max = (b: Building, node: NodeOf<'max'>, y: AnyTensor, place: Place): readonly Statement[] =>
  fold(b, node, y, place, lowest(b, y.dtype), (acc, at) => b.exprs.op('max', y.dtype, acc, valueAt(b, node.x, at)))

export const min = (b: Building, node: NodeOf<'min'>, y: AnyTensor, place: Place): readonly Statement[] =>
  fold(b, node, y, place, greatest(b, y.dtype), (acc, at) => b.exprs.op('min', y.dtype, acc, valueAt(b, node.x, at)))

export const contract = (b: Building, node: NodeOf<'contract'>, y: AnyTensor, place: Place): readonly Statement[] =>
  fold(b, node, y, place, b.exprs.literal(0, y.dtype), (acc, at) =>
    b.exprs.op('add', y.dtype, acc, b.exprs.op('mul', y.dtype, valueAt(b, node.x, at), valueAt(b, node.y, at))),
  )
