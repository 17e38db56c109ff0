import { type Cluster, commonRows, readsAtItsRow } from './cluster.js'
import type { Axis, Node } from '../dsl/index.js'
import type { Limits } from './group.js'
import type { KernelGraph } from './kernel-graph.js'

/** What a merge must keep to. */
export interface Terms {
  readonly limits: Limits
  /** What is needed after the last kernel. */
  readonly results: ReadonlySet<Node>
  /** The new value of each state that can be written over the old one: by then everything else must have read that. */
  readonly replaces: ReadonlyMap<Node, Node>
}

/** Why two kernels are not one. */
export type Boundary = 'other rows' | 'read at other places' | 'too large' | 'too many buffers' | 'a kernel between'

/** Buffers of one kernel that makes what all of these make. */
export const buffersOf = (graph: KernelGraph, parts: readonly Cluster[], rows: readonly Axis[]): number => {
  const read = new Set(parts.flatMap(({ reads }) => [...reads.keys()]))
  for (const { makes } of parts) for (const node of makes) read.delete(node)
  return read.size + graph.stored(parts, rows).size
}

/** Whether one would still read an old state at places where the other has written the new one. */
const overwrites = (a: Cluster, b: Cluster, replaces: Terms['replaces']): boolean =>
  replaces.size > 0 &&
  [...a.reads].some(([node, { tensor, aligned }]) => {
    const next = replaces.get(node)
    return next !== undefined && b.makes.has(next) && !tensor.axes.every(({ name }) => aligned.has(name))
  })

/** What keeps two kernels, as they are, from being one; apart from kernels between them. */
export const boundaryBetween = (
  graph: KernelGraph,
  { limits, replaces }: Terms,
  a: Cluster,
  b: Cluster,
): Exclude<Boundary, 'a kernel between'> | undefined => {
  const rows = commonRows(a, b)
  if (rows === undefined) return 'other rows'
  const apart = !readsAtItsRow(a, b, rows) || !readsAtItsRow(b, a, rows)
  if (apart || overwrites(a, b, replaces) || overwrites(b, a, replaces)) return 'read at other places'
  if (new Set([...a.computes, ...b.computes]).size > limits.fusedNodes) return 'too large'
  return buffersOf(graph, [a, b], rows) > limits.storageBuffers ? 'too many buffers' : undefined
}
