import { type Expr, exprsOf, type Kernel, type Statement, withInner } from '../../../compiler/index.js'
import { type Known, placeInMemory } from './places.js'
import { quarterOf } from './quarters.js'

export type Store = Extract<Statement, { readonly tag: 'store' }>

/** Four neighbours that a list of statements writes, the first of which lies at a multiple of four: one write of a vector. */
export interface VectorStore {
  readonly buffer: number
  /** The place of the first. */
  readonly at: Expr
  /** Of the vector among vectors, where that can be written without a division. */
  readonly quarter: Expr | undefined
  /** In the order in which they lie. */
  readonly parts: readonly Store[]
  /** The one after which all are known. */
  readonly last: Store
}

const inside = (s: Statement): readonly Statement[] => (s.tag === 'for' || s.tag === 'if' ? s.body : [])

const reads = (s: Statement, buffer: number): boolean => [...exprsOf([s])].some((e) => e.tag === 'read' && e.buffer === buffer)

/** Whether a statement writes to a buffer, or one inside it does. */
export const writes = (s: Statement, buffer: number): boolean =>
  withInner(s).some((inner) => inner.tag === 'store' && inner.buffer === buffer)

interface Found {
  readonly store: Store
  readonly statement: number
  readonly part: number
}

/** Until the last is known none is written, so nothing in between may read them, nor write elsewhere what may be the same. */
const vectorStoreOf = (found: readonly Found[], list: readonly Statement[], known: Known): VectorStore | undefined => {
  const parts = [0, 1, 2, 3].flatMap((part) => found.filter((other) => other.part === part).map(({ store }) => store))
  const [first, last] = [found[0], found.at(-1)]
  const [lowest] = parts
  if (
    first === undefined ||
    last === undefined ||
    lowest === undefined ||
    found.length !== 4 ||
    new Set(found.map(({ part }) => part)).size !== 4
  )
    return undefined
  const { buffer, at } = lowest
  const between = list.slice(first.statement + 1, last.statement + 1)
  if (between.some((s) => reads(s, buffer) || inside(s).some((inner) => writes(inner, buffer)))) return undefined
  return { buffer, at, quarter: quarterOf(at, known), parts, last: last.store }
}

const storesOfList = (list: readonly Statement[], known: Known): readonly VectorStore[] => {
  const groups = new Map<string, Found[]>()
  list.forEach((store, statement) => {
    if (store.tag !== 'store') return
    const { base, offset, isAligned } = placeInMemory(store.at, known)
    const key = `${String(store.buffer)} ${base} ${String(Math.floor(offset / 4))}`
    if (!isAligned || offset < 0) return
    groups.set(key, [...(groups.get(key) ?? []), { store, statement, part: offset % 4 }])
  })
  return [...groups.values()].flatMap((found) => vectorStoreOf(found, list, known) ?? [])
}

/**
 * The vectors that a kernel can write in place of numbers. A buffer is written in vectors altogether or not at all: who writes one number of a vector
 * may write over what its neighbours have just written.
 */
export const vectorStoresOf = ({ buffers }: Kernel, body: readonly Statement[], known: Known): readonly VectorStore[] => {
  const everywhere = body.flatMap(withInner)
  const lists = [body, ...everywhere.flatMap((s) => (inside(s).length > 0 ? [inside(s)] : []))]
  const found = lists.flatMap((list) => storesOfList(list, known))
  const grouped = new Set<Statement>(found.flatMap(({ parts }) => parts))
  const isWhole = (buffer: number): boolean =>
    buffer < buffers.length && everywhere.every((s) => s.tag !== 'store' || s.buffer !== buffer || grouped.has(s))
  return found.filter(({ buffer }) => isWhole(buffer))
}
