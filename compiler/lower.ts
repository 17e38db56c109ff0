import type { AnyTensor, Node, Size } from '../dsl/index.js'
import { createExprs } from './exprs.js'
import type { KernelBuffer, Loop, Statement } from './loop-ir.js'
import { blockOf, foldOf } from './lower/anchors.js'
import type { Building } from './lower/building.js'
import { madeAt } from './lower/computed.js'
import type { Place } from './lower/place.js'
import { type Stage, stagesOf } from './lower/stages.js'
import { nest, openLoops, storeAt } from './lower/statements.js'
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

/** An element made where the row, or a loop in it, is. */
const element = (b: Building, y: AnyTensor, place: Place): readonly Statement[] => {
  const value = madeAt(b, y, place)
  return b.outputs.has(y.node) ? [storeAt(b, y, place, value)] : []
}

/** One nest of loops: what folds, and what is made element by element. */
const looped = (b: Building, { loops: axes, members }: Stage, row: Place): readonly Statement[] => {
  const folds = members.map((y) => foldOf(b, y))
  const { loops, place } = openLoops(b, axes, row)
  const turn = members.flatMap((y, i) => folds[i]?.step(place) ?? element(b, y, place))
  return [
    ...folds.flatMap((fold) => fold?.begin ?? []),
    ...nest(loops, turn),
    ...members.flatMap((y, i) => {
      const value = folds[i]?.value
      if (value === undefined) return []
      b.folded.set(y.node, value)
      return b.outputs.has(y.node) ? [storeAt(b, y, row, value)] : []
    }),
  ]
}

const stageBodies: { readonly [T in Stage['tag']]: (b: Building, stage: Stage, row: Place) => readonly Statement[] } = {
  values: (b, { members }, row) => members.flatMap((y) => element(b, y, row)),
  loops: looped,
  block: (b, { members }, row) => members.flatMap((y) => blockOf(y.node)?.body(b, y.node, y, row) ?? []),
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
    folded: new Map(),
    names: new Map(),
    parameters: [],
    values: new Map(),
    numbers: new Map(),
    depths: new Map(),
    loops: 0,
  }
  const { loops, place } = openLoops(b, rows, { at: new Map(), doubtful: false })
  const body = stagesOf(members, rows).flatMap((stage) => stageBodies[stage.tag](b, stage, place))
  return {
    buffers: b.buffers.map(({ tensor, access }) => ({ dtype: tensor.dtype, access })),
    parameters: b.parameters,
    space: loops,
    body,
    holds: b.buffers.map(({ tensor }) => tensor),
    extents: rows.map(({ size }) => size),
  }
}
