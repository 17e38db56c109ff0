import TinyQueue from 'tinyqueue'
import type { AnyTensor, Node } from '../dsl/index.js'
import { type Boundary, boundaryBetween, type Terms } from './boundary.js'
import { type Cluster, clusterOf, commonRows, joined, type Member } from './cluster.js'
import { createKernelGraph, type KernelGraph } from './kernel-graph.js'
import { repeated } from './repeat.js'
import { savingOf } from './saving.js'
import { createSequence } from './sequence.js'

/** What one kernel makes, and which of it lies in a buffer. */
export interface Group extends Cluster {
  readonly stored: ReadonlySet<Node>
  /** Whether it reads an old state that it may write over: it computes before it stores. */
  readonly replaces: boolean
  /** For what lies in a buffer, the other kernels that read it there, by their places, and what kept each apart from this one. */
  readonly readBy: ReadonlyMap<Node, readonly Reader[]>
}

export interface Reader {
  readonly kernel: number
  readonly apart: Boundary
}

/** What a kernel makes in a buffer, operands first. */
export const storedBy = ({ members, stored }: Group): readonly AnyTensor[] =>
  members.map(({ tensor }) => tensor).filter(({ node }) => stored.has(node))

interface Pair {
  readonly a: Cluster
  readonly b: Cluster
  readonly saving: number
}

const first = ({ members }: Cluster): number => members[0]?.position ?? 0

/** The greatest saving first; then the earliest. */
const byWorth = (p: Pair, q: Pair): number => q.saving - p.saving || first(p.a) - first(q.a) || first(p.b) - first(q.b)

/** How many of a buffer's readers are looked at for each, so that what everything reads does not make every pair a candidate. */
const neighbours = 8

const nearest = (k: Cluster, others: ReadonlySet<Cluster>): readonly Cluster[] =>
  [...others].toSorted((a, b) => Math.abs(first(a) - first(k)) - Math.abs(first(b) - first(k)) || first(a) - first(b)).slice(0, neighbours)

/** What reads or makes something that a kernel reads or makes. */
const partnersOf = (graph: KernelGraph, k: Cluster): ReadonlySet<Cluster> => {
  const partners = new Set<Cluster>()
  for (const [node, { tensor }] of k.reads) {
    const maker = graph.maker(node)
    if (maker !== undefined) partners.add(maker)
    if (tensor.axes.length > 0) for (const reader of nearest(k, graph.readers(node))) partners.add(reader)
  }
  for (const node of k.makes) for (const reader of graph.readers(node)) partners.add(reader)
  partners.delete(k)
  return partners
}

/**
 * Which tensors are made by one kernel. Each has its own to begin with, and the two whose union saves most memory traffic become one, until
 * no two can: the saving is what is no longer written, and what is read once in place of twice.
 */
export const merge = (members: readonly Member[], terms: Terms): readonly Group[] => {
  const clusters = members.map(clusterOf)
  const graph = createKernelGraph(clusters, terms.results, terms.replaces)
  const sequence = createSequence(clusters, graph.after)
  const queue = new TinyQueue([], byWorth)
  const propose = (a: Cluster, b: Cluster): void => {
    const rows = commonRows(a, b)
    const saving = rows === undefined ? 0 : savingOf(graph, a, b, rows)
    if (saving > 0) queue.push(first(a) < first(b) ? { a, b, saving } : { a: b, b: a, saving })
  }

  for (const k of clusters) for (const partner of partnersOf(graph, k)) if (first(k) < first(partner)) propose(k, partner)
  for (let pair = queue.pop(); pair !== undefined; pair = queue.pop()) {
    const { a, b } = pair
    const rows = commonRows(a, b)
    if (rows === undefined || !sequence.has(a) || !sequence.has(b)) continue
    if (boundaryBetween(graph, terms, a, b) !== undefined || sequence.areApart(a, b)) continue
    const k = joined(a, b, rows)
    sequence.join(a, b, k)
    graph.replace([a, b], [k])
    for (const partner of partnersOf(graph, k)) propose(k, partner)
  }
  const kernels = repeated(sequence.all(), graph, terms)
  const places = new Map(kernels.map((k, i) => [k, i]))
  const readersOf = (k: Cluster, node: Node): readonly Reader[] =>
    [...graph.readers(node)]
      .filter((reader) => !reader.makes.has(node))
      .map((reader): Reader => ({
        kernel: places.get(reader) ?? -1,
        apart: boundaryBetween(graph, terms, k, reader) ?? 'a kernel between',
      }))
      .toSorted((a, b) => a.kernel - b.kernel)
  const replacesState = ({ reads, makes }: Cluster): boolean =>
    [...reads.keys()].some((node) => {
      const next = terms.replaces.get(node)
      return next !== undefined && makes.has(next)
    })
  return kernels.map((k) => {
    const stored = graph.stored([k], k.rows)
    return { ...k, stored, replaces: replacesState(k), readBy: new Map([...stored].map((node) => [node, readersOf(k, node)])) }
  })
}
