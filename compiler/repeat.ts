import type { AnyTensor } from '../dsl/index.js'
import { type Terms, buffersOf } from './boundary.js'
import { type Cluster, joined } from './cluster.js'
import type { KernelGraph } from './kernel-graph.js'
import { hasRow, mannerOf, nominalCount, reducedAxes } from './rows.js'

/** How many nodes each turn of a fold that is made again may compute. */
const cheap = 16

/** The turns of the longest loop that a kernel makes in each row. */
const turnsOf = ({ members, rows }: Cluster): number =>
  Math.max(
    1,
    ...members.map(({ tensor }) =>
      mannerOf(tensor.node) === 'pointwise' ? nominalCount(tensor.axes) / nominalCount(rows) : nominalCount(reducedAxes(tensor)),
    ),
  )

const isRepeatable = ({ members: [only, ...others], manner }: Cluster, { results, replaces }: Terms): boolean =>
  manner === 'fold' &&
  only !== undefined &&
  others.length === 0 &&
  !results.has(only.tensor.node) &&
  only.waits.size === 0 &&
  only.computes.length <= cheap &&
  ![...only.buffers.keys()].some((node) => replaces.has(node))

/** Whether the reader can make in each of its rows what k makes, and no kernel makes it for others. */
const canRepeat = (graph: KernelGraph, { limits, replaces }: Terms, k: Cluster, y: AnyTensor, reader: Cluster): boolean => {
  const { rows, manner, reads } = reader
  const aligned = reads.get(y.node)?.aligned
  const isStored = graph.stored([reader, k], rows).has(y.node)
  return (
    manner !== 'contraction' &&
    y.axes.every((axis) => hasRow(rows, axis) && aligned?.has(axis.name)) &&
    (rows.length === y.axes.length || nominalCount(reducedAxes(y)) <= turnsOf(reader)) &&
    buffersOf(graph, { replaces }, [reader, k], rows) - (isStored ? 1 : 0) <= limits.storageBuffers &&
    new Set([...reader.computes, ...k.computes]).size <= limits.fusedNodes
  )
}

/** What a fold goes over is not its reader's row, even where the two have one name. */
const elsewhere = (k: Cluster, y: AnyTensor): Cluster => {
  const own = new Set(y.axes.map(({ name }) => name))
  const reads = [...k.reads].map(
    ([node, read]) => [node, { ...read, aligned: new Set([...read.aligned].filter((axis) => own.has(axis))) }] as const,
  )
  return { ...k, reads: new Map(reads) }
}

/**
 * The kernels without those of short sums that every reader can make again in each of its rows, in no more turns of a loop than it has anyway.
 */
export const repeated = (kernels: readonly Cluster[], graph: KernelGraph, terms: Terms): readonly Cluster[] => {
  const left = new Map<Cluster, Cluster>(kernels.map((k) => [k, k]))
  const origin = new Map<Cluster, Cluster>(left)
  for (const k of kernels) {
    const y = isRepeatable(k, terms) && left.get(k) === k ? k.members[0]?.tensor : undefined
    if (y === undefined) continue
    const readers = [...graph.readers(y.node)]
    if (!readers.every((reader) => canRepeat(graph, terms, k, y, reader))) continue
    left.delete(k)
    for (const reader of readers) {
      const both = joined(reader, elsewhere(k, y), reader.rows)
      const first = origin.get(reader)!
      left.set(first, both)
      origin.set(both, first)
      graph.replace([reader], [both])
    }
    graph.replace([k], [])
  }
  return [...left.values()]
}
