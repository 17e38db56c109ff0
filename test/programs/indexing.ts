import { type AnyTensor, axisNames, axisOf, build } from '../../dsl/index.js'
import { apply, constant, has, isInt, type Known, tame } from './known.js'
import { hull, repeated } from './range.js'
import { agreeing, count, dropped, someAxes, type Workshop } from './workshop.js'

const ints = ['i32', 'u32'] as const

const passing: ReadonlySet<string> = new Set(['broadcast', 'rename', 'stopGradient', 'custom', 'checkpoint', 'barrier'])

/** Whether nothing is computed before these ids are used: then binding refuses those that lie outside. */
const isGiven = (ids: AnyTensor): boolean => {
  let at = ids
  while (passing.has(at.node.tag) && 'x' in at.node) at = at.node.x
  return at.node.tag === 'input'
}

/** Ids within [0, n). */
const within = (ids: Known, n: number): Known => {
  const { low, high } = ids.range
  const above = low >= 0 ? ids : apply('max', ids, constant(0, ids.x.dtype))
  return high < n ? above : apply('min', above, constant(n - 1, ids.x.dtype))
}

/** Ids that were made, or new ones that an input gives. */
const someIds = (w: Workshop, n: number): Known =>
  w.roll(0, 2) === 0
    ? w.input(ints[w.roll(1, 2)]!, someAxes(w, [w.roll(1, 60), w.roll(2, 4)]), { low: 0, high: n - 1, grid: 0 })
    : w.operand(1, ints, isInt)

export const gather = (w: Workshop): Known => {
  const x = w.operand(0, ['f32', 'f32', 'i32', 'u32'], (k) => k.x.axes.some(({ size }) => w.number(size) > 0))
  const filled = x.x.axes.filter(({ size }) => w.number(size) > 0)
  const axis = filled[w.roll(2, Math.max(1, filled.length))]
  if (axis === undefined) return x
  const n = w.number(axis.size)
  const rest: Known = { ...x, x: { ...x.x, axes: x.x.axes.filter(({ name }) => name !== axis.name) } }
  const ids = within(agreeing(w, rest, someIds(w, n), 1), n)
  const gathered = (points: Known): Known => ({ x: build.gather(axis.name)(points.x)(x.x), range: x.range })
  const whole = gathered(ids)
  return count(w, whole.x) <= w.most && whole.x.axes.length <= 4 ? whole : gathered(dropped(w, ids, axisNames(ids.x), 1))
}

/** The new axis is one that an input has. An id that is computed may lie outside. */
export const scatterAdd = (w: Workshop): Known => {
  const x = w.operand(0, ['f32', 'f32', 'i32', 'u32'])
  const target = w.axes[w.roll(1, w.axes.length)]!
  const n = w.number(target.size)
  const found = agreeing(w, x, n === 0 ? w.operand(1, ints, ({ x: t }) => !isGiven(t)) : someIds(w, n), 1)
  const own = dropped(
    w,
    found,
    axisNames(found.x).filter((name) => !has(name, x)),
    1,
  )
  const ids = isGiven(own.x) && n === 0 ? apply('add', own, constant(0, own.x.dtype)) : isGiven(own.x) ? within(own, n) : own
  const mustGo = (name: string): boolean => name === target.name
  const over = axisNames(ids.x).filter((name, i) => mustGo(name) || (w.roll(2, 60) >> i) % 2 === 0)
  const free = has(target.name, x) && !over.includes(target.name) ? 'group' : target.name
  if (has(free, x) && !over.includes(free)) return x
  const times = over.reduce((p, name) => p * w.number(axisOf(x.x, name)!.size), 1)
  const made = build.scatterAdd(free, ids.x, target.size, over)(x.x)
  return count(w, made) <= w.most ? tame({ x: made, range: repeated(x.range, times) }) : x
}

/** Values that meet what they are put into, at ids with or without an axis of their own; an id that is computed may lie outside. */
export const scatterSet = (w: Workshop): Known => {
  const x = w.operand(0, ['f32', 'f32', 'i32', 'u32', 'bool'], (k) => k.x.axes.length > 0)
  const axis = x.x.axes[w.roll(2, Math.max(1, x.x.axes.length))]
  if (axis === undefined) return x
  const n = w.number(axis.size)
  const rest: Known = { ...x, x: { ...x.x, axes: x.x.axes.filter(({ name }) => name !== axis.name) } }
  const found = agreeing(w, rest, n === 0 ? w.operand(1, ints, ({ x: t }) => !isGiven(t)) : someIds(w, n), 1)
  const ids = isGiven(found.x) ? (n === 0 ? apply('add', found, constant(0, found.x.dtype)) : within(found, n)) : found
  const put = agreeing(w, ids, agreeing(w, rest, w.operand(2, [x.x.dtype]), 1), 1)
  const values = dropped(
    w,
    put,
    axisNames(put.x).filter((name) => !has(name, rest) && !has(name, ids)),
    1,
  )
  return { x: build.scatterSet(axis.name, ids.x)(x.x, values.x), range: hull(x.range, values.range) }
}
