import type { AnyTensor, Axis, DType, NodeOf } from '../../dsl/index.js'
import type { Expr, Statement } from '../loop-ir.js'
import { type Building, newVariable, numberExpr } from './building.js'
import { valueAt } from './computed.js'
import type { Place } from './place.js'
import { axesNamed } from './statements.js'

/** What goes over axes and leaves one value: what it begins with, what each place adds, and the variable that has the value at the end. */
export interface Fold {
  readonly axes: readonly Axis[]
  readonly begin: readonly Statement[]
  readonly step: (at: Place) => readonly Statement[]
  readonly value: Expr
}

/** Fold over the axes into an accumulator, in a fixed order. */
const fold = (
  b: Building,
  { x, over }: { readonly x: AnyTensor; readonly over: readonly string[] },
  { dtype }: AnyTensor,
  start: Expr,
  step: (acc: Expr, at: Place) => Expr,
): Fold => {
  const acc = newVariable(b, 'acc', dtype)
  return {
    axes: axesNamed(x, over),
    begin: [{ tag: 'var', name: acc.name, value: start }],
    step: (at) => [{ tag: 'assign', name: acc.name, value: step(acc, at) }],
    value: acc,
  }
}

export const greatest = (b: Building, dtype: DType): Expr =>
  numberExpr(b, { f32: Infinity, i32: 2147483647, u32: 4294967295, bool: 1 }[dtype], dtype)

export const lowest = (b: Building, dtype: DType): Expr =>
  numberExpr(b, { f32: -Infinity, i32: -2147483648, u32: 0, bool: 0 }[dtype], dtype)

export const sum = (b: Building, node: NodeOf<'sum'>, y: AnyTensor): Fold =>
  fold(b, node, y, b.exprs.literal(0, y.dtype), (acc, at) => b.exprs.op('add', y.dtype, acc, valueAt(b, node.x, at)))

export const max = (b: Building, node: NodeOf<'max'>, y: AnyTensor): Fold =>
  fold(b, node, y, lowest(b, y.dtype), (acc, at) => b.exprs.op('max', y.dtype, acc, valueAt(b, node.x, at)))

export const min = (b: Building, node: NodeOf<'min'>, y: AnyTensor): Fold =>
  fold(b, node, y, greatest(b, y.dtype), (acc, at) => b.exprs.op('min', y.dtype, acc, valueAt(b, node.x, at)))

export const contract = (b: Building, node: NodeOf<'contract'>, y: AnyTensor): Fold =>
  fold(b, node, y, b.exprs.literal(0, y.dtype), (acc, at) =>
    b.exprs.op('add', y.dtype, acc, b.exprs.op('mul', y.dtype, valueAt(b, node.x, at), valueAt(b, node.y, at))),
  )
