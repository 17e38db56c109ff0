import type { AnyTensor, Node, Size } from '../dsl/index.js'
import { createExprs } from './exprs.js'
import type { KernelBuffer, Loop, Statement } from './loop-ir.js'
import { type AnyAnchor, anchorOf } from './lower/anchors.js'
import type { Building } from './lower/building.js'
import { computeAt } from './lower/computed.js'
import { openLoops, storeAt } from './lower/statements.js'
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

/** What has no loops of its own is computed and stored, element by element. */
const pointwise: AnyAnchor = {
  inside: () => undefined,
  access: 'write',
  body: (b, _node, y, place) => [storeAt(b, y, place, computeAt(b, y, place))],
}

/** The kernel that makes y. With `inPlaceOf`, it writes where that tensor lies, which it may also read. */
export const lower = (y: AnyTensor, isMade: (node: Node) => boolean, inPlaceOf?: AnyTensor): Lowered => {
  const { node } = y
  const { inside, access, body } = anchorOf(node.tag) ?? pointwise
  const b: Building = {
    exprs: createExprs(),
    isMade,
    buffers: [{ tensor: inPlaceOf ?? y, access: inPlaceOf === undefined ? access : 'readWrite' }],
    parameters: [],
    values: new Map(),
    numbers: new Map(),
    depths: new Map(),
    loops: 0,
  }
  const looped = inside(node as Parameters<typeof inside>[0])
  const parallel = y.axes.filter(({ name }) => name !== looped)
  const { loops, place } = openLoops(b, parallel, { at: new Map(), doubtful: false })
  const statements = body(b, node as Parameters<typeof body>[1], y, place)
  return {
    buffers: b.buffers.map(({ tensor, access }) => ({ dtype: tensor.dtype, access })),
    parameters: b.parameters,
    space: loops,
    body: statements,
    holds: b.buffers.map(({ tensor }) => tensor),
    extents: parallel.map(({ size }) => size),
  }
}
