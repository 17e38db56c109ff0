import { type AnyTensor, type Axis, axisOf, type DType, type Node, type NodeOf, renamed, type Size, sizes, type Tag } from '../dsl/index.js'
import { createExprs, type Exprs } from './exprs.js'
import type { Expr, KernelBuffer, Loop, Statement } from './loop-ir.js'
import type { Parameter } from './plan.js'

/** A kernel before its shared expressions have names: equal expressions are one object. */
export interface Lowered {
  readonly buffers: readonly KernelBuffer[]
  readonly parameters: readonly Parameter[]
  readonly space: readonly Loop[]
  readonly body: readonly Statement[]
  /** For each buffer, the tensor whose elements it holds. */
  readonly holds: readonly AnyTensor[]
  readonly extents: readonly Size[]
}

/** Where along each axis an element lies. */
interface Place {
  readonly at: ReadonlyMap<string, Expr>
  /** Whether an axis that it was clamped into may be empty, so that there may be no such element (and what is read is not used). */
  readonly doubtful: boolean
}

/** What the kernel of one tensor is being built with. */
interface Building {
  readonly exprs: Exprs
  readonly isMade: (node: Node) => boolean
  readonly buffers: { readonly tensor: AnyTensor; readonly access: KernelBuffer['access'] }[]
  readonly parameters: Parameter[]
  readonly values: Map<string, Expr>
  readonly numbers: Map<Node, number>
  readonly depths: Map<Expr, number>
  loops: number
}

const parameterKey = (p: Parameter): string =>
  p.tag === 'size' ? `size ${p.size.text}` : `number ${Object.is(p.value, -0) ? '-0' : String(p.value)}`

const parameter = (b: Building, p: Parameter): Expr => {
  const at = b.parameters.findIndex((other) => parameterKey(other) === parameterKey(p))
  if (at < 0) b.parameters.push(p)
  return b.exprs.parameter(at < 0 ? b.parameters.length - 1 : at, p.tag === 'size' ? 'i32' : 'f32')
}

const sizeExpr = (b: Building, size: Size): Expr => {
  const n = sizes.known(size)
  return n === undefined ? parameter(b, { tag: 'size', size }) : b.exprs.literal(n)
}

/** 0 and ±1 stand in the kernel; every other float is a parameter, so that two learning rates are one kernel. */
const numberExpr = (b: Building, value: number, dtype: DType): Expr =>
  dtype !== 'f32' || value === 1 || value === -1 || Object.is(value, 0)
    ? b.exprs.literal(value, dtype)
    : parameter(b, { tag: 'number', value })

const bufferOf = (b: Building, tensor: AnyTensor): number => {
  const at = b.buffers.findIndex((buffer) => buffer.tensor.node === tensor.node)
  if (at >= 0) return at
  b.buffers.push({ tensor, access: 'read' })
  return b.buffers.length - 1
}

const along = ({ at }: Place, axis: string): Expr => {
  const index = at.get(axis)
  if (index === undefined) throw new Error(`a kernel has no place along '${axis}'`)
  return index
}

/** Row-major: Σ place·stride, outermost loops first, so that what an inner loop does not change can be computed outside it. */
const linear = (b: Building, axes: readonly Axis[], place: Place): Expr => {
  const terms = axes.map(({ name }, i) =>
    b.exprs.times(along(place, name), sizeExpr(b, sizes.product(axes.slice(i + 1).map(({ size }) => size)))),
  )
  return terms.toSorted((x, y) => depthOf(b, x) - depthOf(b, y)).reduce(b.exprs.plus, b.exprs.literal(0))
}

/** Loops are numbered from the outside in, so the greatest number in an expression is the loop that it must be inside of. */
const depthOf = (b: Building, e: Expr): number => {
  const known = b.depths.get(e)
  if (known !== undefined) return known
  const parts = e.tag === 'op' ? e.operands : e.tag === 'read' ? [e.at] : []
  const depth = e.tag === 'index' ? Number(e.name.slice(1)) + 1 : Math.max(0, ...parts.map((part) => depthOf(b, part)))
  b.depths.set(e, depth)
  return depth
}

const both = (b: Building, p: Expr, q: Expr): Expr => b.exprs.op('and', 'bool', p, q)

/** Whether 0 ≤ i < n, and i where it is, else the nearest place inside. */
const clamped = (b: Building, i: Expr, n: Expr): { readonly inside: Expr; readonly at: Expr } => {
  const { op, literal, minus } = b.exprs
  return {
    inside: both(b, op('lessEqual', 'bool', literal(0), i), op('less', 'bool', i, n)),
    at: op('max', 'i32', literal(0), op('min', 'i32', i, minus(n, literal(1)))),
  }
}

const asIndex = (b: Building, id: Expr): Expr => (id.dtype === 'i32' ? id : b.exprs.op('toI32', 'i32', id))

const axisSize = (x: AnyTensor, axis: string): Size => axisOf(x, axis)?.size ?? sizes.literal(0)

const moved = (place: Place, axis: string, to: Expr): Place => ({ ...place, at: new Map([...place.at, [axis, to]]) })

/** The place clamped into an axis of a size. */
const clampedTo = (place: Place, axis: string, to: Expr, size: Size): Place => ({
  at: moved(place, axis, to).at,
  doubtful: place.doubtful || !sizes.surelyPositive(size),
})

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
  contract: impossible,
  scatterAdd: impossible,
  invalid: impossible,
}

const computeAt = (b: Building, y: AnyTensor, place: Place): Expr =>
  (computed[y.node.tag] as (b: Building, node: Node, y: AnyTensor, place: Place) => Expr)(b, y.node, y, place)

/** The index of an element, inside the buffer even where there may be no such element. */
const safe = (b: Building, x: AnyTensor, place: Place): Expr => {
  const at = linear(b, x.axes, place)
  return place.doubtful ? clamped(b, at, sizeExpr(b, sizes.product(x.axes.map(({ size }) => size)))).at : at
}

/** The element of x at a place: read from its buffer, or computed there. */
const valueAt = (b: Building, x: AnyTensor, place: Place): Expr => {
  const number = b.numbers.get(x.node) ?? b.numbers.size
  b.numbers.set(x.node, number)
  const key = `${String(number)} ${String(place.doubtful)} ${x.axes.map(({ name }) => b.exprs.idOf(along(place, name))).join(' ')}`
  const earlier = b.values.get(key)
  if (earlier !== undefined) return earlier
  const value = b.isMade(x.node) ? b.exprs.read(bufferOf(b, x), x.dtype, safe(b, x, place)) : computeAt(b, x, place)
  b.values.set(key, value)
  return value
}

const openLoop = (b: Building, size: Size): Loop => {
  const index = `i${String(b.loops)}`
  b.loops += 1
  return { index, extent: sizeExpr(b, size) }
}

/** Loops over axes, in their order, and the place that they go through. */
const openLoops = (b: Building, axes: readonly Axis[], place: Place): { readonly loops: readonly Loop[]; readonly place: Place } => {
  const loops = axes.map(({ size }) => openLoop(b, size))
  return {
    loops,
    place: { ...place, at: new Map([...place.at, ...axes.map(({ name }, i) => [name, b.exprs.index(loops[i]?.index ?? '')] as const)]) },
  }
}

const nest = (loops: readonly Loop[], body: readonly Statement[]): readonly Statement[] =>
  loops.reduceRight<readonly Statement[]>((inner, loop) => [{ tag: 'for', loop, body: inner }], body)

const output = 0

const storeAt = (b: Building, y: AnyTensor, place: Place, value: Expr): Statement => ({
  tag: 'store',
  buffer: output,
  at: linear(b, y.axes, place),
  value,
})

const axesNamed = (x: AnyTensor, names: readonly string[]): readonly Axis[] => x.axes.filter(({ name }) => names.includes(name))

/** Fold `value` over the axes into an accumulator, in a fixed order, and store it. */
const fold = (
  b: Building,
  y: AnyTensor,
  place: Place,
  over: readonly Axis[],
  start: Expr,
  step: (acc: Expr, at: Place) => Expr,
): readonly Statement[] => {
  const { loops, place: inner } = openLoops(b, over, place)
  const acc = b.exprs.variable('acc', y.dtype)
  return [
    { tag: 'var', name: 'acc', value: start },
    ...nest(loops, [{ tag: 'assign', name: 'acc', value: step(acc, inner) }]),
    storeAt(b, y, place, acc),
  ]
}

const greatest = (b: Building, dtype: DType): Expr =>
  numberExpr(b, { f32: Infinity, i32: 2147483647, u32: 4294967295, bool: 1 }[dtype], dtype)

const lowest = (b: Building, dtype: DType): Expr => numberExpr(b, { f32: -Infinity, i32: -2147483648, u32: 0, bool: 0 }[dtype], dtype)

/** By the bits: a driver may take x ≠ x for false. */
const isNaN = ({ op, literal }: Exprs, x: Expr): Expr =>
  op('less', 'bool', literal(0x7f800000, 'u32'), op('bitAnd', 'u32', op('floatBits', 'u32', x), literal(0x7fffffff, 'u32')))

/** Keep the best element and its place; one that is only as good does not replace it, and a NaN is better than any number. */
const extremePlace = (b: Building, { tag, x, axis }: NodeOf<'argMax' | 'argMin'>, y: AnyTensor, place: Place): readonly Statement[] => {
  const { op, literal, variable } = b.exprs
  const { loops, place: inner } = openLoops(b, axesNamed(x, [axis]), place)
  const [best, acc] = [variable('best', x.dtype), variable('acc', 'i32')]
  const value = valueAt(b, x, inner)
  const better = tag === 'argMax' ? op('less', 'bool', best, value) : op('less', 'bool', value, best)
  const first = (): Expr => both(b, isNaN(b.exprs, value), op('not', 'bool', isNaN(b.exprs, best)))
  const wins = x.dtype === 'f32' ? op('or', 'bool', better, first()) : better
  return [
    { tag: 'var', name: 'best', value: tag === 'argMax' ? lowest(b, x.dtype) : greatest(b, x.dtype) },
    { tag: 'var', name: 'acc', value: literal(0) },
    ...nest(loops, [
      {
        tag: 'if',
        condition: wins,
        body: [
          { tag: 'assign', name: 'best', value },
          { tag: 'assign', name: 'acc', value: along(inner, axis) },
        ],
      },
    ]),
    storeAt(b, y, place, acc),
  ]
}

/** Write zeros, then add each element where its id says: one after the other, so that the order of the sum is fixed. */
const scatter = (b: Building, { x, ids, axis, over }: NodeOf<'scatterAdd'>, y: AnyTensor, place: Place): readonly Statement[] => {
  const size = sizeExpr(b, axisSize(y, axis))
  const clear = openLoops(b, axesNamed(y, [axis]), place)
  const { loops, place: inner } = openLoops(b, axesNamed(x, over), place)
  const { inside, at } = clamped(b, asIndex(b, valueAt(b, ids, inner)), size)
  const target = linear(b, y.axes, moved(place, axis, at))
  const sum = b.exprs.op('add', y.dtype, b.exprs.read(output, y.dtype, target), valueAt(b, x, inner))
  return [
    ...nest(clear.loops, [storeAt(b, y, clear.place, b.exprs.literal(0, y.dtype))]),
    ...nest(loops, [{ tag: 'if', condition: inside, body: [{ tag: 'store', buffer: output, at: target, value: sum }] }]),
  ]
}

/** One place after the other: the first is x itself, so that 0 times an infinite coefficient is not asked for. */
const recur = (b: Building, { a, x, axis, direction }: NodeOf<'linearRecurrence'>, y: AnyTensor, place: Place): readonly Statement[] => {
  const { op, literal, minus, index, variable } = b.exprs
  const loop = openLoop(b, axisSize(y, axis))
  const turn = index(loop.index)
  const inner = moved(place, axis, direction === 'forward' ? turn : minus(minus(loop.extent, literal(1)), turn))
  const acc = variable('acc', y.dtype)
  const own = valueAt(b, x, inner)
  const next = op('add', y.dtype, op('mul', y.dtype, valueAt(b, a, inner), acc), own)
  return [
    { tag: 'var', name: 'acc', value: literal(0, y.dtype) },
    {
      tag: 'for',
      loop,
      body: [
        { tag: 'assign', name: 'acc', value: op('select', y.dtype, op('equal', 'bool', turn, literal(0)), own, next) },
        storeAt(b, y, inner, acc),
      ],
    },
  ]
}

const bodyOf = (b: Building, y: AnyTensor, place: Place): readonly Statement[] => {
  const { node } = y
  const { op, literal } = b.exprs
  if (node.tag === 'sum')
    return fold(b, y, place, axesNamed(node.x, node.over), literal(0, y.dtype), (acc, at) =>
      op('add', y.dtype, acc, valueAt(b, node.x, at)),
    )
  if (node.tag === 'max')
    return fold(b, y, place, axesNamed(node.x, node.over), lowest(b, y.dtype), (acc, at) => op('max', y.dtype, acc, valueAt(b, node.x, at)))
  if (node.tag === 'min')
    return fold(b, y, place, axesNamed(node.x, node.over), greatest(b, y.dtype), (acc, at) =>
      op('min', y.dtype, acc, valueAt(b, node.x, at)),
    )
  if (node.tag === 'argMax' || node.tag === 'argMin') return extremePlace(b, node, y, place)
  if (node.tag === 'contract')
    return fold(b, y, place, axesNamed(node.x, node.over), literal(0, y.dtype), (acc, at) =>
      op('add', y.dtype, acc, op('mul', y.dtype, valueAt(b, node.x, at), valueAt(b, node.y, at))),
    )
  if (node.tag === 'linearRecurrence') return recur(b, node, y, place)
  if (node.tag === 'scatterAdd') return scatter(b, node, y, place)
  return [storeAt(b, y, place, computeAt(b, y, place))]
}

/**
 * The kernel that makes y. With `inPlaceOf`, it writes where that tensor lies, which it may also read.
 * A scatter's axis, what it sums over and a recurrence's axis are loops inside; every other axis of the result is a parallel one.
 */
export const lower = (y: AnyTensor, isMade: (node: Node) => boolean, inPlaceOf?: AnyTensor): Lowered => {
  const target = inPlaceOf ?? y
  const b: Building = {
    exprs: createExprs(),
    isMade,
    buffers: [{ tensor: target, access: inPlaceOf !== undefined || y.node.tag === 'scatterAdd' ? 'readWrite' : 'write' }],
    parameters: [],
    values: new Map(),
    numbers: new Map(),
    depths: new Map(),
    loops: 0,
  }
  const { node } = y
  const parallel = node.tag === 'scatterAdd' || node.tag === 'linearRecurrence' ? y.axes.filter(({ name }) => name !== node.axis) : y.axes
  const { loops, place } = openLoops(b, parallel, { at: new Map(), doubtful: false })
  const body = bodyOf(b, y, place)
  return {
    buffers: b.buffers.map(({ tensor, access }) => ({ dtype: tensor.dtype, access })),
    parameters: b.parameters,
    space: loops,
    body,
    holds: b.buffers.map(({ tensor }) => tensor),
    extents: parallel.map(({ size }) => size),
  }
}
