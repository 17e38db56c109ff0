import { type Expr, type Kernel, ownExprs, partsOf, type Statement } from '../../../compiler/index.js'
import { quarterOf, quartersFor } from './quarters.js'
import { type Known, letsOf, placeInMemory } from './places.js'
import { vectorStoresOf, type VectorStore, writes } from './stores.js'

export type Read = Extract<Expr, { readonly tag: 'read' }>

/** Four neighbours that a list of statements reads, the first of which lies at a multiple of four: one read of a vector. */
export interface Vector {
  readonly buffer: number
  /** The place of the first. */
  readonly at: Expr
  /** Of the vector among vectors, where that can be written without a division. */
  readonly quarter: Expr | undefined
  /** The statement of the list before which it must be read. */
  readonly before: number
  /** Each read of one of them, and which it is. */
  readonly parts: ReadonlyMap<Read, number>
}

/** Where vectors are read and written in place of numbers. */
export interface Vectors {
  /** By the list of statements that reads them. */
  readonly inList: ReadonlyMap<readonly Statement[], readonly Vector[]>
  /** By the statements that write a part. */
  readonly stores: ReadonlyMap<Statement, VectorStore>
  /** The buffers that lie there as vectors. */
  readonly buffers: ReadonlySet<number>
  /** A quarter of what a `let` names, where a place needs it. */
  readonly quarters: ReadonlyMap<string, Expr>
}

const readsIn = (e: Expr): readonly Read[] => [...partsOf(e).flatMap(readsIn), ...(e.tag === 'read' ? [e] : [])]

interface Found {
  readonly read: Read
  readonly statement: number
  readonly part: number
}

/** The buffers whose vectors may be read, and of those the ones that the kernel writes as well. */
interface Readable {
  readonly read: ReadonlySet<number>
  readonly written: ReadonlySet<number>
}

const whole = [0, 1, 2, 3]

/** The first of the four must be the first that is read: its place is known there. */
const vectorOf = (found: readonly Found[], known: Known): Vector | undefined => {
  const [first] = found
  if (first?.part !== 0 || !whole.every((part) => found.some((other) => other.part === part))) return undefined
  return {
    buffer: first.read.buffer,
    at: first.read.at,
    quarter: quarterOf(first.read.at, known),
    before: first.statement,
    parts: new Map(found.map(({ read, part }) => [read, part])),
  }
}

/** Whether a buffer is what it was at the first read when the last one comes. */
const isSettled = (list: readonly Statement[], found: readonly Found[]): boolean => {
  const [first, last] = [found[0]!, found.at(-1)!]
  return !list.slice(first.statement, last.statement).some((s) => writes(s, first.read.buffer))
}

const vectorsOfList = (list: readonly Statement[], { read: readable, written }: Readable, known: Known): readonly Vector[] => {
  const groups = new Map<string, Found[]>()
  list.forEach((s, statement) => {
    for (const read of ownExprs(s).flatMap(readsIn)) {
      if (!readable.has(read.buffer)) continue
      const { base, offset, isAligned } = placeInMemory(read.at, known)
      if (!isAligned || offset < 0) continue
      const key = `${String(read.buffer)} ${base} ${String(Math.floor(offset / 4))}`
      const found = groups.get(key) ?? []
      found.push({ read, statement, part: offset % 4 })
      groups.set(key, found)
    }
  })
  return [...groups.values()].flatMap((found) =>
    written.has(found[0]!.read.buffer) && !isSettled(list, found) ? [] : (vectorOf(found, known) ?? []),
  )
}

/** The vectors that a kernel can read in place of numbers, from buffers that it does not write number by number, and those that it can write. */
export const vectorsOf = (kernel: Kernel, body: readonly Statement[], multiples: readonly number[]): Vectors => {
  const known: Known = { lets: letsOf(body), multiples }
  const stores = vectorStoresOf(kernel, body, known)
  const written = new Set(stores.map(({ buffer }) => buffer))
  const read = new Set([...kernel.buffers.keys()].filter((buffer) => kernel.buffers[buffer]?.access === 'read' || written.has(buffer)))
  const inList = new Map<readonly Statement[], readonly Vector[]>()
  const visit = (list: readonly Statement[]): void => {
    inList.set(list, vectorsOfList(list, { read, written }, known))
    for (const s of list) if (s.tag === 'for' || s.tag === 'if') visit(s.body)
  }
  visit(body)
  const all = [...inList.values()].flat()
  return {
    inList,
    stores: new Map(stores.flatMap((vector) => vector.parts.map((part) => [part, vector]))),
    buffers: new Set([...written, ...all.map(({ buffer }) => buffer)]),
    quarters: quartersFor(
      [...stores, ...all].flatMap(({ quarter }) => quarter ?? []),
      known,
    ),
  }
}
