import type { Axis, Node } from '../dsl/index.js'
import type { Cluster } from './cluster.js'

/** Kernels, by what they make and what they read, while they become fewer. */
export interface KernelGraph {
  readonly maker: (node: Node) => Cluster | undefined
  readonly readers: (node: Node) => ReadonlySet<Cluster>
  /** What must run after a kernel. */
  readonly after: (k: Cluster) => Iterable<Cluster>
  /** What one kernel made of these over these rows has in buffers: what others need, or itself once the loop that made it has ended. */
  readonly stored: (parts: readonly Cluster[], rows: readonly Axis[]) => ReadonlySet<Node>
  readonly replace: (old: readonly Cluster[], by: readonly Cluster[]) => void
}

/** `results` are needed after the last kernel. Whatever reads an old state must run before what makes the new one that `replaces` it. */
export const createKernelGraph = (
  kernels: readonly Cluster[],
  results: ReadonlySet<Node>,
  replaces: ReadonlyMap<Node, Node>,
): KernelGraph => {
  const makers = new Map<Node, Cluster>()
  const readers = new Map<Node, Set<Cluster>>()
  const waiters = new Map<Node, Set<Cluster>>()
  const readersOf = (node: Node): ReadonlySet<Cluster> => readers.get(node) ?? new Set()
  const enter = (k: Cluster): void => {
    for (const node of k.makes) makers.set(node, k)
    for (const node of k.reads.keys()) readers.set(node, (readers.get(node) ?? new Set()).add(k))
    for (const node of k.waits) waiters.set(node, (waiters.get(node) ?? new Set()).add(k))
  }
  const leave = (k: Cluster): void => {
    for (const node of k.reads.keys()) readers.get(node)?.delete(k)
    for (const node of k.waits) waiters.get(node)?.delete(k)
  }
  kernels.forEach(enter)
  return {
    maker: (node) => makers.get(node),
    readers: readersOf,
    *after(k) {
      for (const node of k.makes) {
        for (const reader of readersOf(node)) if (!reader.makes.has(node)) yield reader
        for (const waiter of waiters.get(node) ?? []) if (waiter !== k) yield waiter
      }
      for (const node of k.reads.keys()) {
        const next = replaces.get(node)
        const writer = next === undefined ? undefined : makers.get(next)
        if (writer !== undefined && writer !== k) yield writer
      }
    },
    stored: (parts, rows) => {
      const isIn = (k: Cluster): boolean => parts.includes(k)
      const isStored = (node: Node, axes: readonly Axis[]): boolean => {
        if (results.has(node)) return true
        for (const reader of readersOf(node)) if (isIn(reader) ? axes.length > rows.length : !reader.makes.has(node)) return true
        return false
      }
      return new Set(parts.flatMap(({ members }) => members.flatMap(({ tensor: { node, axes } }) => (isStored(node, axes) ? [node] : []))))
    },
    replace: (old, by) => {
      old.forEach(leave)
      by.forEach(enter)
    },
  }
}
