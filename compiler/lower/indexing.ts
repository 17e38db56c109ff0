import type { AnyTensor, NodeOf } from '../../dsl/index.js'
import { inLoops, type Statement } from '../loop-ir.js'
import { type Building, linear, outputOf, sizeExpr } from './building.js'
import { asIndex, axisSize, clamped, valueAt } from './computed.js'
import { moved, type Place } from './place.js'
import { axesNamed, openLoops, storeAt } from './statements.js'

/** Write zeros, then add each element where its id says: one after the other, so that the order of the sum is fixed. */
export const scatterAdd = (b: Building, { x, ids, axis, over }: NodeOf<'scatterAdd'>, y: AnyTensor, place: Place): readonly Statement[] => {
  const size = sizeExpr(b, axisSize(y, axis))
  const clear = openLoops(b, axesNamed(y, [axis]), place)
  const { loops, place: inner } = openLoops(b, axesNamed(x, over), place)
  const { inside, at } = clamped(b, asIndex(b, valueAt(b, ids, inner)), size)
  const target = linear(b, y.axes, moved(place, axis, at))
  const sum = b.exprs.op('add', y.dtype, b.exprs.read(outputOf(b, y), y.dtype, target), valueAt(b, x, inner))
  return [
    ...inLoops(clear.loops, [storeAt(b, y, clear.place, b.exprs.literal(0, y.dtype))]),
    ...inLoops(loops, [{ tag: 'if', condition: inside, body: [{ tag: 'store', buffer: outputOf(b, y), at: target, value: sum }] }]),
  ]
}

/** Copy x, unless it lies there already, then put each value where its id says: one after the other, so that the last one stays. */
export const scatterSet = (
  b: Building,
  { x, ids, values, axis, over }: NodeOf<'scatterSet'>,
  y: AnyTensor,
  place: Place,
): readonly Statement[] => {
  const kept = openLoops(b, axesNamed(y, [axis]), place)
  const old = valueAt(b, x, kept.place)
  const isThere = old.tag === 'read' && old.buffer === outputOf(b, y)
  const { loops, place: inner } = openLoops(b, axesNamed(values, over), place)
  const { inside, at } = clamped(b, asIndex(b, valueAt(b, ids, inner)), sizeExpr(b, axisSize(y, axis)))
  const put = storeAt(b, y, moved(place, axis, at), valueAt(b, values, inner))
  return [
    ...(isThere ? [] : inLoops(kept.loops, [storeAt(b, y, kept.place, old)])),
    ...inLoops(loops, [{ tag: 'if', condition: inside, body: [put] }]),
  ]
}
