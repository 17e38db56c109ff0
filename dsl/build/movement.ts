import { renamed } from '../node.js'
import { isWhole, literal, minus, plus, quotient, type Size, times, toSize } from '../size.js'
import { type AnyTensor, type Axis, axesMissingFrom, axisNames, axisOf, tensor } from '../tensor.js'
import {
  atLeast,
  both,
  checked,
  divides,
  fault,
  type Findings,
  inTurn,
  namedTwice,
  newAxes,
  nothing,
  resolve,
  sharedSizes,
  sizeOfAxis,
} from './checked.js'

/** x with exactly these axes in this order, repeated along those that it lacks. */
export const broadcastTo =
  (axes: readonly Axis[]) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'broadcast'
    const target = tensor(x.dtype, axes, { tag: 'broadcast', x })
    const names = axisNames(target)
    const lost = axesMissingFrom(target, x).map(({ name }) => fault({ tag: 'noSuchAxis', op, axis: name, has: names }))
    const has = axisNames(x)
    const added = axes.filter(({ name }) => !has.includes(name))
    const exists = has.filter((name) => names.indexOf(name) !== names.lastIndexOf(name))
    const { faults, needs } = both(
      ...lost,
      ...exists.map((axis) => fault({ tag: 'axisExists', op, axis, has })),
      newAxes(op, added),
      sharedSizes(op, x, target),
    )
    const unchanged =
      faults.length + needs.length === 0 && axes.length === x.axes.length && axes.every(({ name }, i) => x.axes[i]?.name === name)
    return unchanged ? x : checked(faults, needs, [x], x.dtype, axes, () => ({ tag: 'broadcast', x }))
  }

export const rename =
  (names: Readonly<Record<string, string>>) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'rename'
    const { found } = resolve(op, x, Object.keys(names))
    const to = renamed(names)
    const axes = x.axes.map(({ name, size }) => ({ name: to(name), size }))
    const has = axisNames(x)
    const clashes = axes.filter(({ name }, i) => axes.findIndex((axis) => axis.name === name) !== i)
    const { faults, needs } = both(found, ...clashes.map(({ name }) => fault({ tag: 'axisExists', op, axis: name, has })))
    return checked(faults, needs, [x], x.dtype, axes, () => ({ tag: 'rename', x, names }))
  }

const stepFault = (op: string, axis: string, step: number): Findings =>
  Number.isInteger(step) && step >= 1 ? nothing : fault({ tag: 'badStep', op, axis, step })

export interface SliceBounds {
  readonly start: Size
  readonly step: number
  readonly size: Size
}

/** The last place that `size` elements from `start` in steps reach, and one more. */
const reach = ({ start, step, size }: SliceBounds): Size => plus(start, plus(times(minus(size, 1), step), 1))

const resized = (x: AnyTensor, axis: string, size: Size): readonly Axis[] => x.axes.map((a) => (a.name === axis ? { name: axis, size } : a))

/** A slice or a pad, along an axis of which `inside` says whether the bounds fit its size. */
const stepped = (
  op: 'slice' | 'pad',
  x: AnyTensor,
  axis: string,
  { start, step, size }: SliceBounds,
  inside: (own: Size) => Findings,
): AnyTensor => {
  const { over, found } = resolve(op, x, [axis])
  const own = axisOf(x, over[0] ?? '')?.size
  const { faults, needs } = both(
    found,
    inTurn(
      () => stepFault(op, axis, step),
      () => (own === undefined ? nothing : inside(own)),
    ),
  )
  return checked(faults, needs, [x], x.dtype, resized(x, over[0] ?? axis, size), () => ({ tag: op, x, axis, start, step }))
}

/** The steps lie within `whole`; nor do they begin beyond its end where there are none. */
const within = (op: string, axis: string, whole: Size, steps: SliceBounds): Findings =>
  inTurn(
    () => sizeOfAxis(op, axis, steps.start),
    () => atLeast(op, axis, whole, reach(steps)),
    () => (steps.step > 1 ? atLeast(op, axis, whole, steps.start) : nothing),
  )

/** y[i] = x[start + step·i] along `axis`, for i < size. */
export const slice =
  (axis: string, bounds: SliceBounds) =>
  (x: AnyTensor): AnyTensor =>
    stepped('slice', x, axis, bounds, (own) =>
      inTurn(
        () => sizeOfAxis('slice', axis, bounds.size),
        () => within('slice', axis, own, bounds),
      ),
    )

/** The size along an axis, or along the one that is meant by a misspelt name. */
const sizeAlong = (op: string, x: AnyTensor, axis: string): Size => axisOf(x, resolve(op, x, [axis]).over[0] ?? '')?.size ?? literal(0)

/** The slice from `from` up to, not including, `to`; a negative number counts from the end. 0 ≤ from ≤ to ≤ the size of the axis. */
export const sliceBetween =
  (axis: string, from: Size | number, to: Size | number | undefined, step: number) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'slice'
    const whole = sizeAlong(op, x, axis)
    const place = (p: Size | number): Size => (typeof p === 'number' && p < 0 ? plus(whole, p) : toSize(p))
    const [start, end] = [place(from), place(to ?? whole)]
    const length = minus(end, start)
    const size = step > 1 ? quotient(plus(length, step - 1), step) : length
    const ends = (own: Size): Findings =>
      inTurn(
        () => (isWhole(end) ? nothing : fault({ tag: 'badSize', op, axis, size: end })),
        () => atLeast(op, axis, own, end),
        () => atLeast(op, axis, length, literal(0)),
      )
    return stepped(op, x, axis, { start, step, size }, (own) =>
      inTurn(
        () => sizeOfAxis(op, axis, start),
        () => (to === undefined ? atLeast(op, axis, own, start) : ends(own)),
      ),
    )
  }

/** y[start + step·i] = x[i] along `axis`, 0 elsewhere, where y's axis has size `size`. */
export const pad =
  (axis: string, bounds: SliceBounds) =>
  (x: AnyTensor): AnyTensor =>
    stepped('pad', x, axis, bounds, (own) =>
      inTurn(
        () => sizeOfAxis('pad', axis, bounds.size),
        () => within('pad', axis, bounds.size, { ...bounds, size: own }),
      ),
    )

/** x with `before` zeros before it and `after` behind it along `axis`. */
export const padAround =
  (axis: string, before: Size | number, after: Size | number) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'pad'
    const size = plus(sizeAlong(op, x, axis), plus(before, after))
    return stepped(op, x, axis, { start: toSize(before), step: 1, size }, () =>
      both(sizeOfAxis(op, axis, toSize(before)), sizeOfAxis(op, axis, toSize(after))),
    )
  }

/** x backwards along `axis`. */
export const flip =
  (axis: string) =>
  (x: AnyTensor): AnyTensor => {
    const { over, found } = resolve('flip', x, [axis])
    return checked(found.faults, found.needs, [x], x.dtype, x.axes, () => ({ tag: 'flip', x, axis: over[0] ?? axis }))
  }

/** The tensors one after the other along `axis`; but for it their axes are the same. */
export const concat =
  (axis: string) =>
  (first: AnyTensor, ...others: readonly AnyTensor[]): AnyTensor => {
    const op = 'concat'
    const parts = [first, ...others]
    const { over, found } = resolve(op, first, [axis])
    const own = over[0] ?? axis
    const expected = axisNames(first)
    const rest = tensor(
      first.dtype,
      first.axes.filter(({ name }) => name !== own),
      first.node,
    )
    const alike = others.map((x): Findings => {
      const given = axisNames(x)
      const same = given.length === expected.length && given.every((name) => expected.includes(name))
      return both(
        same ? nothing : fault({ tag: 'axesDiffer', op, expected, given }),
        x.dtype === first.dtype ? nothing : fault({ tag: 'typesDoNotFit', op, takes: 'one type', given: [first.dtype, x.dtype] }),
        sharedSizes(op, rest, x),
      )
    })
    const { faults, needs } = both(found, ...alike)
    const size = parts.reduce((total, x) => plus(total, axisOf(x, own)?.size ?? literal(0)), literal(0))
    return checked(faults, needs, parts, first.dtype, resized(first, own, size), () => ({ tag: 'concat', parts, axis }))
  }

export interface Pair {
  readonly outer: string
  readonly inner: string
}

/** New names must be free, but for those of the axes that go, and two. */
const free = (op: string, x: AnyTensor, names: readonly string[], going: readonly string[]): Findings => {
  const taken = axisNames(x).filter((name) => !going.includes(name))
  return both(
    ...names.filter((name) => taken.includes(name)).map((axis) => fault({ tag: 'axisExists', op, axis, has: axisNames(x) })),
    ...namedTwice(names).map((axis) => fault({ tag: 'axisTwice', op, axis })),
  )
}

/** `axis` as `outer` and `inner`, whose sizes have its size as their product. */
const splitAs = (x: AnyTensor, axis: string, outer: Axis, inner: Axis, found: Findings): AnyTensor => {
  const { faults, needs } = both(found, free('split', x, [outer.name, inner.name], [axis]))
  const axes = x.axes.flatMap((a) => (a.name === axis ? [outer, inner] : [a]))
  return checked(faults, needs, [x], x.dtype, axes, () => ({ tag: 'split', x, axis, outer: outer.name, inner: inner.name }))
}

/** `axis` as `outer` by `inner`, the latter of size `size`, which must divide that of the axis. */
export const split =
  (axis: string, { outer, inner }: Pair, size: number) =>
  (x: AnyTensor): AnyTensor => {
    const op = 'split'
    const { over, found } = resolve(op, x, [axis])
    const own = over[0] ?? axis
    const whole = sizeAlong(op, x, axis)
    const inside = Number.isInteger(size) ? atLeast(op, inner, literal(size), literal(1)) : sizeOfAxis(op, inner, literal(size))
    const bad = inside.faults.length > 0
    const outerSize = bad || size === 1 ? whole : quotient(whole, size)
    const fits = bad ? inside : divides(op, own, whole, size)
    return splitAs(x, own, { name: outer, size: outerSize }, { name: inner, size: literal(size) }, both(found, fits))
  }

/** What `merge` made one axis of, split again as it was in `like`. */
export const splitLike =
  (axis: string, { outer, inner }: Pair, like: AnyTensor) =>
  (x: AnyTensor): AnyTensor =>
    splitAs(
      x,
      axis,
      { name: outer, size: sizeAlong('split', like, outer) },
      { name: inner, size: sizeAlong('split', like, inner) },
      nothing,
    )

const mergeAs = (x: AnyTensor, axis: Axis, { outer, inner }: Pair): AnyTensor => {
  const op = 'merge'
  const { found } = resolve(op, x, [outer, inner])
  const axes = x.axes.flatMap((a) => (a.name === outer ? [axis] : a.name === inner ? [] : [a]))
  const { faults, needs } = both(found, free(op, x, [axis.name], [outer, inner]))
  return checked(faults, needs, [x], x.dtype, axes, () => ({ tag: 'merge', x, axis: axis.name, outer, inner }))
}

/** `outer` and `inner` as one axis, the inner fastest. It stands where the outer stood. */
export const merge =
  (axis: string, pair: Pair) =>
  (x: AnyTensor): AnyTensor =>
    mergeAs(x, { name: axis, size: times(sizeAlong('merge', x, pair.outer), sizeAlong('merge', x, pair.inner)) }, pair)

/** What `split` made two axes of, one again of the size that it had in `like`. */
export const mergeLike =
  (axis: string, pair: Pair, like: AnyTensor) =>
  (x: AnyTensor): AnyTensor =>
    mergeAs(x, { name: axis, size: sizeAlong('merge', like, axis) }, pair)
