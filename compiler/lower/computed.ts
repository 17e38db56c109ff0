import { type AnyTensor, axisOf, type DType, type Node, type NodeOf, renamed, type Size, sizes, type Tag } from '../../dsl/index.js'
import type { Expr } from '../loop-ir.js'
import { type Building, bufferOf, linear, numberExpr, sizeExpr } from './building.js'
import { along, clampedTo, moved, type Place } from './place.js'

const both = (b: Building, p: Expr, q: Expr): Expr => b.exprs.op('and', 'bool', p, q)

/** Whether 0 ≤ i < n, and i where it is, else the nearest place inside. */
export const clamped = (b: Building, i: Expr, n: Expr): { readonly inside: Expr; readonly at: Expr } => {
  const { op, literal, minus } = b.exprs
  return {
    inside: both(b, op('lessEqual', 'bool', literal(0), i), op('less', 'bool', i, n)),
    at: op('max', 'i32', literal(0), op('min', 'i32', i, minus(n, literal(1)))),
  }
}

export const asIndex = (b: Building, id: Expr): Expr => (id.dtype === 'i32' ? id : b.exprs.op('toI32', 'i32', id))

export const axisSize = (x: AnyTensor, axis: string): Size => axisOf(x, axis)?.size ?? sizes.literal(0)

const nothingThere = (b: Building, dtype: DType): Expr => numberExpr(b, dtype === 'f32' ? NaN : 0, dtype)

type Computed = { readonly [T in Tag]: (b: Building, node: NodeOf<T>, y: AnyTensor, place: Place) => Expr }

const impossible = (_b: Building, _node: unknown, y: AnyTensor): never => {
  throw new Error(`${y.node.tag} cannot be computed in place`)
}

/** An element of a tensor that is computed where it is read. */
const computed: Computed = {
  constant: (b, { value }, y) => numberExpr(b, value, y.dtype),
  iota: (_b, _node, y, place) => along(place, y.axes[0]?.name ?? ''),
  extent: (b, { size }) => sizeExpr(b, size),
  map: (b, { op, operands }, y, place) => b.exprs.op(op, y.dtype, ...operands.map((x) => valueAt(b, x, place))),
  broadcast: (b, { x }, _y, place) => valueAt(b, x, place),
  stopGradient: (b, { x }, _y, place) => valueAt(b, x, place),
  barrier: (b, { x }, _y, place) => valueAt(b, x, place),
  rename: (b, { x, names }, _y, place) =>
    valueAt(b, x, { ...place, at: new Map(x.axes.map(({ name }) => [name, along(place, renamed(names)(name))])) }),
  slice: (b, { x, axis, start, step }, _y, place) =>
    valueAt(b, x, moved(place, axis, b.exprs.plus(sizeExpr(b, start), b.exprs.times(along(place, axis), b.exprs.literal(step))))),
  flip: (b, { x, axis }, _y, place) =>
    valueAt(b, x, moved(place, axis, b.exprs.minus(sizeExpr(b, sizes.minus(axisSize(x, axis), 1)), along(place, axis)))),
  split: (b, { x, axis, outer, inner }, y, place) => {
    const at = b.exprs.plus(b.exprs.times(along(place, outer), sizeExpr(b, axisSize(y, inner))), along(place, inner))
    return valueAt(b, x, moved(place, axis, at))
  },
  merge: (b, { x, axis, outer, inner }, _y, place) => {
    const at = along(place, axis)
    const size = sizeExpr(b, axisSize(x, inner))
    // Where the place is one that nothing may be at, so may the size be 0.
    const by = sizes.surelyPositive(axisSize(x, inner)) ? size : b.exprs.op('max', 'i32', size, b.exprs.literal(1))
    const outside = moved(place, outer, b.exprs.op('quotient', 'i32', at, by))
    return valueAt(b, x, moved(outside, inner, b.exprs.op('remainder', 'i32', at, by)))
  },
  concat: (b, { parts, axis }, y, place) => {
    let offset = along(place, axis)
    const pieces = parts.map((part) => {
      const size = sizeExpr(b, axisSize(part, axis))
      const { at } = clamped(b, offset, size)
      const piece = {
        value: valueAt(b, part, clampedTo(place, axis, at, axisSize(part, axis))),
        within: b.exprs.op('less', 'bool', offset, size),
      }
      offset = b.exprs.minus(offset, size)
      return piece
    })
    return pieces.reduceRight<Expr | undefined>(
      (others, { value, within }) => (others === undefined ? value : b.exprs.op('select', y.dtype, within, value, others)),
      undefined,
    )!
  },
  pad: (b, { x, axis, start, step }, y, place) => {
    const { op, literal } = b.exprs
    const offset = b.exprs.minus(along(place, axis), sizeExpr(b, start))
    const { inside, at } = clamped(
      b,
      step === 1 ? offset : op('quotient', 'i32', op('max', 'i32', offset, literal(0)), literal(step)),
      sizeExpr(b, axisSize(x, axis)),
    )
    const onStep = op('equal', 'bool', op('remainder', 'i32', op('max', 'i32', offset, literal(0)), literal(step)), literal(0))
    const taken = step === 1 ? inside : both(b, both(b, op('lessEqual', 'bool', literal(0), offset), onStep), inside)
    return op('select', y.dtype, taken, valueAt(b, x, clampedTo(place, axis, at, axisSize(x, axis))), literal(0, y.dtype))
  },
  gather: (b, { x, ids, axis }, y, place) => {
    const { inside, at } = clamped(b, asIndex(b, valueAt(b, ids, place)), sizeExpr(b, axisSize(x, axis)))
    return b.exprs.op('select', y.dtype, inside, valueAt(b, x, clampedTo(place, axis, at, axisSize(x, axis))), nothingThere(b, y.dtype))
  },
  linearRecurrence: impossible,
  input: impossible,
  sum: impossible,
  max: impossible,
  min: impossible,
  argMax: impossible,
  argMin: impossible,
  argSort: impossible,
  contract: impossible,
  scatterAdd: impossible,
  scatterSet: impossible,
  custom: impossible,
  checkpoint: impossible,
  invalid: impossible,
}

export const computeAt = (b: Building, y: AnyTensor, place: Place): Expr =>
  (computed[y.node.tag] as (b: Building, node: Node, y: AnyTensor, place: Place) => Expr)(b, y.node, y, place)

/** The index of an element, inside the buffer even where there may be no such element. */
const safe = (b: Building, x: AnyTensor, place: Place): Expr => {
  const at = linear(b, x.axes, place)
  return place.doubtful ? clamped(b, at, sizeExpr(b, sizes.product(x.axes.map(({ size }) => size)))).at : at
}

const keyOf = (b: Building, { node, axes }: AnyTensor, place: Place): string => {
  const number = b.numbers.get(node) ?? b.numbers.size
  b.numbers.set(node, number)
  return `${String(number)} ${String(place.doubtful)} ${axes.map(({ name }) => b.exprs.idOf(along(place, name))).join(' ')}`
}

/** What is at hand of x at a place; where there may be no such element, that of the same place without a doubt is as good. */
const atHand = (b: Building, x: AnyTensor, place: Place): Expr | undefined =>
  b.values.get(keyOf(b, x, place)) ?? (place.doubtful ? b.values.get(keyOf(b, x, { ...place, doubtful: false })) : undefined)

/** From here on, what reads x at a place has this at hand. */
export const keep = (b: Building, x: AnyTensor, place: Place, value: Expr): unknown => b.values.set(keyOf(b, x, place), value)

/** The element of x at a place: at hand, read from its buffer, or computed there. */
export const valueAt = (b: Building, x: AnyTensor, place: Place): Expr => {
  const folded = b.folded.get(x.node)
  if (folded !== undefined) return folded
  const earlier = atHand(b, x, place)
  if (earlier !== undefined) return earlier
  const value = b.isMade(x.node) ? b.exprs.read(bufferOf(b, x), x.dtype, safe(b, x, place)) : computeAt(b, x, place)
  keep(b, x, place, value)
  return value
}

/** The element of what is made at a place: what reads it there has it at hand. */
export const madeAt = (b: Building, x: AnyTensor, place: Place): Expr => {
  const value = computeAt(b, x, place)
  keep(b, x, place, value)
  return value
}
