import type { AnyTensor, Axis, Size } from '../../dsl/index.js'
import type { Expr, Loop, Statement } from '../loop-ir.js'
import { type Building, linear, outputOf, sizeExpr } from './building.js'
import type { Place } from './place.js'

export const openLoop = (b: Building, size: Size): Loop => {
  const index = `i${String(b.loops)}`
  b.loops += 1
  return { index, extent: sizeExpr(b, size) }
}

/** Loops over axes, in their order, and the place that they go through. */
export const openLoops = (b: Building, axes: readonly Axis[], place: Place): { readonly loops: readonly Loop[]; readonly place: Place } => {
  const loops = axes.map(({ size }) => openLoop(b, size))
  return {
    loops,
    place: { ...place, at: new Map([...place.at, ...axes.map(({ name }, i) => [name, b.exprs.index(loops[i]?.index ?? '')] as const)]) },
  }
}

export const storeAt = (b: Building, y: AnyTensor, place: Place, value: Expr): Statement => ({
  tag: 'store',
  buffer: outputOf(b, y),
  at: linear(b, y.axes, place),
  value,
})

export const axesNamed = (x: AnyTensor, names: readonly string[]): readonly Axis[] => x.axes.filter(({ name }) => names.includes(name))
