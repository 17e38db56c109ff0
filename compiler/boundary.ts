import { type Cluster, commonRows, readsAtItsRow } from './cluster.js'
import type { Axis, Node } from '../dsl/index.js'
import type { Limits } from './group.js'
import type { KernelGraph } from './kernel-graph.js'
import type { Read } from './reads.js'
import { mannerOf } from './rows.js'

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

/** Whether everything is made element by element, each at its own place. */
const isElementwise = ({ members, rows }: Cluster): boolean =>
  members.every(({ tensor: { node, axes } }) => mannerOf(node) === 'pointwise' && axes.length === rows.length)

const isAligned = (read: Read | undefined): boolean => read === undefined || read.tensor.axes.every(({ name }) => read.aligned.has(name))

/** How many old states lie where their new values are surely written: all is read before anything is written. */
const writtenInPlace = (parts: readonly Cluster[], stored: ReadonlySet<Node>, replaces: Terms['replaces']): number => {
  if (replaces.size === 0 || !parts.every(isElementwise)) return 0
  const old = new Set(parts.flatMap(({ reads }) => [...reads.keys()]).filter((node) => stored.has(replaces.get(node) ?? node)))
  const isReadWhereItIsWritten = (node: Node): boolean => parts.every(({ reads }) => isAligned(reads.get(node)))
  return [...old].filter((node) => replaces.has(node) && isReadWhereItIsWritten(node)).length
}

/** Buffers of one kernel that makes what all of these make. */
export const buffersOf = (
  graph: KernelGraph,
  { replaces }: Pick<Terms, 'replaces'>,
  parts: readonly Cluster[],
  rows: readonly Axis[],
): number => {
  const read = new Set(parts.flatMap(({ reads }) => [...reads.keys()]))
  for (const { makes } of parts) for (const node of makes) read.delete(node)
  const stored = graph.stored(parts, rows)
  return read.size + stored.size - writtenInPlace(parts, stored, replaces)
}

/** Whether one would still read an old state at places where the other has written the new one. */
const overwrites = (a: Cluster, b: Cluster, replaces: Terms['replaces']): boolean =>
  replaces.size > 0 &&
  [...a.reads].some(([node, read]) => {
    const next = replaces.get(node)
    return next !== undefined && b.makes.has(next) && !isAligned(read)
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
  return buffersOf(graph, { replaces }, [a, b], rows) > limits.storageBuffers ? 'too many buffers' : undefined
}
