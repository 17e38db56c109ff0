import type { Axis } from '../dsl/index.js'
import type { Cluster } from './cluster.js'
import type { KernelGraph } from './kernel-graph.js'
import { nominalCount } from './rows.js'

/** What is read by both at the same rows, and so once. */
const sharedReads = (a: Cluster, b: Cluster, rows: readonly Axis[]): number => {
  const [few, many] = a.reads.size < b.reads.size ? [a, b] : [b, a]
  let saving = 0
  for (const [node, { tensor, aligned, elements }] of few.reads) {
    const other = many.reads.get(node)
    const isShared = other !== undefined && rows.every(({ name }) => aligned.has(name) && other.aligned.has(name))
    if (isShared && tensor.axes.length > 0) saving += Math.min(elements, other.elements)
  }
  return saving
}

/** What one makes and the other reads: it is not read from memory, and not written where nothing else needs it. */
const handedOver = (graph: KernelGraph, a: Cluster, b: Cluster, rows: readonly Axis[]): number => {
  const handed = [
    ...a.members.filter(({ tensor }) => b.reads.has(tensor.node)),
    ...b.members.filter(({ tensor }) => a.reads.has(tensor.node)),
  ]
  if (handed.length === 0) return 0
  const stored = graph.stored([a, b], rows)
  return handed.reduce((saving, { tensor: { node, axes } }) => saving + nominalCount(axes) * (stored.has(node) ? 1 : 2), 0)
}

/** How many elements fewer go through memory where two kernels are one, each open size taken for the same number. */
export const savingOf = (graph: KernelGraph, a: Cluster, b: Cluster, rows: readonly Axis[]): number =>
  sharedReads(a, b, rows) + handedOver(graph, a, b, rows)
