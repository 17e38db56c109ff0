import { type Axis, axisOf, axisNames, build, sizes } from '../../dsl/index.js'
import { type Known, has, moved } from './known.js'
import { hull, point } from './range.js'
import { count, meeting, type Workshop } from './workshop.js'

const all = ['f32', 'f32', 'i32', 'u32', 'bool'] as const

const withAxes = ({ x }: Known): boolean => x.axes.length > 0

/** Turned, and repeated along an axis more if there is room. */
export const broadcast = (w: Workshop): Known => {
  const k = w.operand(0, all)
  const extra = w.axes[w.roll(0, w.axes.length)]!
  const own = k.x.axes.map((_, i) => k.x.axes[(i + w.roll(1, 3)) % k.x.axes.length]!)
  const turned = moved(k, build.broadcastTo(own))
  const wide = has(extra.name, k) ? turned : moved(k, build.broadcastTo(w.roll(2, 2) === 0 ? [extra, ...own] : [...own, extra]))
  return count(w, wide.x) <= w.most && wide.x.axes.length <= 4 ? wide : turned
}

const names = ['key', 'group', 'batch', 'time', 'embed'] as const

/** One axis gets a name that is free, or two axes swap theirs. */
export const rename = (w: Workshop): Known => {
  const k = w.operand(0, all, withAxes)
  const [first, second] = axisNames(k.x)
  const free = names.filter((name) => !has(name, k))
  if (first === undefined) return k
  if (second !== undefined && w.roll(0, 3) === 0) return moved(k, build.rename({ [first]: second, [second]: first }))
  return moved(k, build.rename({ [first]: free[w.roll(1, free.length)]! }))
}

const someAxis = (w: Workshop, k: Known): Axis | undefined => k.x.axes[w.roll(0, Math.max(1, k.x.axes.length))]

export const slice = (w: Workshop): Known => {
  const k = w.operand(0, all, withAxes)
  const axis = someAxis(w, k)
  if (axis === undefined) return k
  const n = w.number(axis.size)
  const forms: readonly (readonly [number, number | undefined, number])[] = [
    [Math.min(1, n), undefined, 1],
    [0, n === 0 ? undefined : -1, 1],
    [0, undefined, 2],
    [Math.min(1, n), undefined, 2],
    [n === 0 ? 0 : -1, undefined, 1],
    [0, Math.min(2, n), 1],
  ]
  return moved(k, build.sliceBetween(axis.name, ...forms[w.roll(1, forms.length)]!))
}

export const padAlong = (k: Known, axis: string, before: number, after: number): Known => ({
  x: build.padAround(axis, before, after)(k.x),
  range: hull(k.range, point(0)),
})

/** Zeros around, or between the elements as well. */
export const pad = (w: Workshop): Known => {
  const k = w.operand(0, ['f32', 'f32', 'i32', 'u32'], withAxes)
  const axis = someAxis(w, k)
  if (axis === undefined) return k
  const [before, after] = [w.roll(1, 3), w.roll(2, 3)]
  const apart = { start: sizes.literal(before), step: 2, size: sizes.plus(sizes.scale(axis.size, 2), before + after) }
  const padded =
    w.roll(2, 2) === 0 ? padAlong(k, axis.name, before, after) : { x: build.pad(axis.name, apart)(k.x), range: hull(k.range, point(0)) }
  return count(w, padded.x) <= w.most && w.number(axisOf(padded.x, axis.name)!.size) <= w.most ? padded : k
}

/** Nobody wrote the line that stops, and to look for it takes longer than to make the program. */
const nowhere = { file: '(generated)', line: 0, column: 0 }

export const stopGradient = (w: Workshop): Known => moved(w.operand(0, ['f32']), (x) => build.stopGradient(x, nowhere))

export const flip = (w: Workshop): Known => {
  const k = w.operand(0, all, withAxes)
  const axis = someAxis(w, k)
  return axis === undefined ? k : moved(k, build.flip(axis.name))
}

/** Two tensors, or one twice, one behind the other: the narrower repeated to the axes of the wider. */
export const concat = (w: Workshop): Known => {
  const first = w.operand(0, all, withAxes)
  const pair = meeting(w, first, w.operand(1, [first.x.dtype]), w.roll(1, 6))
  const [wide] = pair.toSorted((a, b) => b.x.axes.length - a.x.axes.length)
  const axis = someAxis(w, wide!)
  if (axis === undefined) return first
  const [one, two] = pair.map(({ x }) => build.broadcastTo(wide!.x.axes)(x))
  const x = w.roll(2, 3) === 0 ? build.concat(axis.name)(one!, two!, one!) : build.concat(axis.name)(one!, two!)
  return count(w, x) <= w.most ? { x, range: hull(pair[0].range, pair[1].range) } : first
}

const newNames = ['key', 'group', 'batch', 'time', 'embed', 'head'] as const

export const split = (w: Workshop): Known => {
  const k = w.operand(0, all, ({ x }) => x.axes.length > 0 && x.axes.length < 4)
  const axis = someAxis(w, k)
  if (axis === undefined || k.x.axes.length > 3) return k
  const n = w.number(axis.size)
  const sizesOfInner = [n, 2, 3, 1].filter((size) => size > 0 && n % size === 0)
  const free = newNames.filter((name) => name === axis.name || !has(name, k))
  const first = w.roll(1, free.length)
  const into = { outer: free[first]!, inner: free[(first + 1) % free.length]! }
  return moved(k, build.split(axis.name, into, sizesOfInner[w.roll(2, sizesOfInner.length)]!))
}

export const merge = (w: Workshop): Known => {
  const k = w.operand(0, all, ({ x }) => x.axes.length > 1)
  const own = axisNames(k.x)
  const outer = own[w.roll(0, Math.max(1, own.length))]
  const others = own.filter((name) => name !== outer)
  const inner = others[w.roll(1, Math.max(1, others.length))]
  if (outer === undefined || inner === undefined) return k
  const free = newNames.filter((name) => name === outer || name === inner || !has(name, k))
  return moved(k, build.merge(free[w.roll(2, free.length)]!, { outer, inner }))
}
