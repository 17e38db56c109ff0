import { type AnyTensor, type Axis, type Node, type Size, sizes } from '../dsl/index.js'
import { createExprs } from './exprs.js'
import { inLoops, type KernelBuffer, type Loop, type Statement } from './loop-ir.js'
import { blockOf, foldOf } from './lower/anchors.js'
import { type Building, newVariable, parameter } from './lower/building.js'
import { keep, madeAt } from './lower/computed.js'
import type { Place } from './lower/place.js'
import { type Stage, stagesOf } from './lower/stages.js'
import { openLoops, storeAt } from './lower/statements.js'
import { type Group, storedBy } from './merge.js'
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

/** What a turn of a loop, or a row, computes and then stores. */
interface Turn {
  readonly compute: readonly Statement[]
  readonly store: readonly Statement[]
}

/** An element made where the row, or a loop in it, is. Where it may be written over what others still read, it is kept until all have. */
const element = (b: Building, y: AnyTensor, place: Place): Turn => {
  const value = madeAt(b, y, place)
  if (!b.outputs.has(y.node)) return { compute: [], store: [] }
  if (!b.computesFirst) return { compute: [storeAt(b, y, place, value)], store: [] }
  const kept = newVariable(b, 'kept', y.dtype)
  keep(b, y, place, kept)
  return { compute: [{ tag: 'var', name: kept.name, value }], store: [storeAt(b, y, place, kept)] }
}

const inTurn = (turns: readonly Turn[]): readonly Statement[] => [
  ...turns.flatMap(({ compute }) => compute),
  ...turns.flatMap(({ store }) => store),
]

/** One nest of loops: what folds, and what is made element by element. */
const looped = (b: Building, { loops: axes, members }: Stage, row: Place): readonly Statement[] => {
  const folds = members.map((y) => foldOf(b, y))
  const { loops, place } = openLoops(b, axes, row)
  const turns = members.map((y, i): Turn => {
    const fold = folds[i]
    return fold === undefined ? element(b, y, place) : { compute: fold.step(place), store: [] }
  })
  return [
    ...folds.flatMap((fold) => fold?.begin ?? []),
    ...inLoops(loops, inTurn(turns)),
    ...members.flatMap((y, i) => {
      const value = folds[i]?.value
      if (value === undefined) return []
      b.folded.set(y.node, value)
      return b.outputs.has(y.node) ? [storeAt(b, y, row, value)] : []
    }),
  ]
}

const stageBodies: { readonly [T in Stage['tag']]: (b: Building, stage: Stage, row: Place) => readonly Statement[] } = {
  values: (b, { members }, row) => inTurn(members.map((y) => element(b, y, row))),
  loops: looped,
  block: (b, { members }, row) => members.flatMap((y) => blockOf(y.node)?.body(b, y.node, y, row) ?? []),
}

interface Space {
  readonly loops: readonly Loop[]
  readonly place: Place
  readonly extents: readonly Size[]
}

const openRows = (b: Building, rows: readonly Axis[]): Space => ({
  ...openLoops(b, rows, { at: new Map(), doubtful: false }),
  extents: rows.map(({ size }) => size),
})

/** Whether a kernel goes through everything that it touches in the order in which it lies, so that one loop does. */
const isFlat = ({ members, rows }: Group): boolean => {
  const lies = ({ axes }: AnyTensor): boolean => axes.length === rows.length && axes.every(({ name }, i) => rows[i]?.name === name)
  const fits = (x: AnyTensor): boolean => x.axes.length === 0 || lies(x)
  const isPlain = ({ node }: AnyTensor): boolean => node.tag === 'map' || node.tag === 'broadcast' || node.tag === 'constant'
  return (
    rows.length > 0 &&
    members.every(
      ({ tensor, computes, buffers }) =>
        lies(tensor) && computes.every((x) => isPlain(x) && fits(x)) && [...buffers.values()].every((read) => fits(read.tensor)),
    )
  )
}

/** One loop for all rows, whatever their sizes: updates of tensors of any shapes are one kernel. */
const openFlat = (b: Building, rows: readonly Axis[]): Space => {
  const size = sizes.product(rows.map((row) => row.size))
  const loop = { index: 'i0', extent: parameter(b, { tag: 'size', size }) }
  b.loops = 1
  const flat = b.exprs.index(loop.index)
  return { loops: [loop], place: { at: new Map(rows.map(({ name }) => [name, flat])), doubtful: false, flat }, extents: [size] }
}

/** What is written where another tensor lies, by node. */
export type InPlace = ReadonlyMap<Node, AnyTensor>

/** The kernel of a group. What `inPlaceOf` names it writes where that tensor lies, which it may also read. */
export const lower = (group: Group, isMade: (node: Node) => boolean, inPlaceOf: InPlace = new Map()): Lowered => {
  const { members, rows } = group
  const outputs = storedBy(group)
  const b: Building = {
    exprs: createExprs(),
    isMade,
    buffers: outputs.map((y) => {
      const old = inPlaceOf.get(y.node)
      return { tensor: old ?? y, access: old === undefined ? (blockOf(y.node)?.access ?? 'write') : 'readWrite' }
    }),
    outputs: new Map(outputs.map(({ node }, i) => [node, i])),
    computesFirst: group.replaces,
    folded: new Map(),
    names: new Map(),
    parameters: [],
    values: new Map(),
    numbers: new Map(),
    depths: new Map(),
    loops: 0,
  }
  const { loops, place, extents } = isFlat(group) ? openFlat(b, rows) : openRows(b, rows)
  const body = stagesOf(members, rows).flatMap((stage) => stageBodies[stage.tag](b, stage, place))
  return {
    buffers: b.buffers.map(({ tensor, access }) => ({ dtype: tensor.dtype, access })),
    parameters: b.parameters,
    space: loops,
    body,
    holds: b.buffers.map(({ tensor }) => tensor),
    extents,
  }
}
