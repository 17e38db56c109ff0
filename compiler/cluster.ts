import type { AnyTensor, Axis, Node } from '../dsl/index.js'
import type { Read, Reads } from './reads.js'
import { areOutermost, type Manner, mannerOf, rowsOf, sameRows } from './rows.js'

/** A tensor that a kernel makes, and what its part of the kernel computes and reads. */
export interface Member extends Reads {
  readonly tensor: AnyTensor
  /** Its place among all that is made, operands first. */
  readonly position: number
}

/** What one kernel makes: at each place of its rows it makes its members one after the other, operands first. */
export interface Cluster {
  readonly rows: readonly Axis[]
  readonly manner: Manner
  readonly members: readonly Member[]
  readonly makes: ReadonlySet<Node>
  /** All that its members read, what it makes itself among it. */
  readonly reads: ReadonlyMap<Node, Read>
  readonly computes: ReadonlySet<Node>
  readonly waits: ReadonlySet<Node>
}

export const clusterOf = (member: Member): Cluster => ({
  rows: rowsOf(member.tensor),
  manner: mannerOf(member.tensor.node),
  members: [member],
  makes: new Set([member.tensor.node]),
  reads: member.buffers,
  computes: new Set(member.computes.map(({ node }) => node)),
  waits: member.waits,
})

/** What either reads, aligned where both are that read it. */
const joinedReads = (a: Cluster['reads'], b: Cluster['reads']): Cluster['reads'] => {
  const reads = new Map(a)
  for (const [node, read] of b) {
    const other = reads.get(node)
    if (other === undefined) reads.set(node, read)
    else {
      const aligned = new Set([...read.aligned].filter((axis) => other.aligned.has(axis)))
      reads.set(node, { tensor: read.tensor, aligned, elements: Math.max(read.elements, other.elements) })
    }
  }
  return reads
}

export const joined = (a: Cluster, b: Cluster, rows: readonly Axis[]): Cluster => ({
  rows,
  manner: a.manner === 'pointwise' ? b.manner : a.manner,
  members: [...a.members, ...b.members].toSorted((x, y) => x.position - y.position),
  makes: new Set([...a.makes, ...b.makes]),
  reads: joinedReads(a.reads, b.reads),
  computes: new Set([...a.computes, ...b.computes]),
  waits: new Set([...a.waits, ...b.waits]),
})

/**
 * The rows over which one kernel can make what two make; undefined where there are none. What is pointwise is made a row at a time where
 * the rows are outermost in it; but one row is no rows: what has axes is not made by a single place.
 */
export const commonRows = (a: Cluster, b: Cluster): readonly Axis[] | undefined => {
  const [fixed, other] = a.manner === 'pointwise' ? [b, a] : [a, b]
  if (fixed.manner === 'alone' || other.manner === 'alone') return undefined
  const isTiled = fixed.manner === 'contraction' || other.manner === 'contraction'
  if (isTiled && other.manner !== 'pointwise') return undefined
  if (sameRows(a.rows, b.rows)) return fixed.rows
  const isFree = other.manner === 'pointwise' && fixed.manner !== 'pointwise' && !isTiled
  return isFree && fixed.rows.length > 0 && other.members.every(({ tensor }) => areOutermost(fixed.rows, tensor)) ? fixed.rows : undefined
}

/** Whether one reads what the other makes, if at all, at its own row: what another row makes may not be there yet. */
export const readsAtItsRow = ({ reads }: Cluster, { makes }: Cluster, rows: readonly Axis[]): boolean => {
  for (const node of makes) {
    const read = reads.get(node)
    if (read !== undefined && !rows.every(({ name }) => read.aligned.has(name))) return false
  }
  return true
}
