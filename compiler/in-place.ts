import type { AnyTensor, Leaf, Node } from '../dsl/index.js'
import type { Expr, Statement } from './loop-ir.js'
import { type InPlace, lower, type Lowered } from './lower.js'
import type { Group } from './merge.js'

/** Every read of a statement list, each once. */
const readsOf = (statements: readonly Statement[]): readonly Extract<Expr, { readonly tag: 'read' }>[] => {
  const found = new Set<Extract<Expr, { readonly tag: 'read' }>>()
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    if (e.tag === 'read') {
      found.add(e)
      visit(e.at)
    } else if (e.tag === 'op') e.operands.forEach(visit)
  }
  const walk = (s: Statement): void => {
    if (s.tag === 'for') s.body.forEach(walk)
    else if (s.tag === 'if') {
      visit(s.condition)
      s.body.forEach(walk)
    } else if (s.tag === 'store') [s.at, s.value].forEach(visit)
    else if (s.tag !== 'barrier' && s.tag !== 'join') visit(s.value)
  }
  statements.forEach(walk)
  return [...found]
}

/** The statements that compute, in the order of a turn of their loops. */
const flat = (s: Statement): readonly Statement[] =>
  s.tag === 'for' ? s.body.flatMap(flat) : s.tag === 'if' ? [{ ...s, body: [] }, ...s.body.flatMap(flat)] : [s]

interface Rewrite {
  readonly old: AnyTensor
  readonly next: AnyTensor
}

/**
 * Whether a kernel has read all that it reads of an old value when it writes the new one there: in earlier loops at its own row, which no other
 * place of its space writes, then only the element that is about to be written; nothing after it.
 */
const readsBeforeItWrites = ({ group, lowered: { body, holds } }: Step, { old, next }: Rewrite): boolean => {
  const bufferOf = ({ node }: AnyTensor): number => holds.findIndex((held) => held.node === node)
  const [source, target] = [bufferOf(old), bufferOf(next)]
  if (source < 0) return true
  const reads = (statements: readonly Statement[]) => readsOf(statements).filter(({ buffer }) => buffer === source)
  const isStore = (s: Statement) => s.tag === 'store' && s.buffer === target
  const writing = body.findIndex((s) => flat(s).some(isStore))
  const turn = body.slice(writing, writing + 1).flatMap(flat)
  const first = turn.findIndex(isStore)
  const store = turn[first]
  const aligned = group.reads.get(old.node)?.aligned
  return (
    (reads(body.slice(0, writing)).length === 0 || group.rows.every(({ name }) => aligned?.has(name))) &&
    reads(turn.slice(0, first + 1)).every(({ at }) => store?.tag === 'store' && at === store.at) &&
    reads(turn.slice(first + 1)).length === 0 &&
    reads(body.slice(writing + 1)).length === 0
  )
}

/** A kernel and what it makes. */
export interface Step {
  readonly group: Group
  readonly lowered: Lowered
  readonly inPlaceOf: InPlace
}

/**
 * A new state is written where the old one lies if its own kernel is the last to read the old one, and has done so when it writes. Otherwise it
 * is made in the arena and copied when everything else is done.
 */
export const inPlace = (
  groups: readonly Group[],
  states: readonly Leaf<AnyTensor>[],
  oldState: (path: string) => AnyTensor | undefined,
  isMade: (node: Node) => boolean,
): readonly Step[] => {
  const steps = groups.map((group): Step => ({ group, lowered: lower(group, isMade), inPlaceOf: new Map() }))
  const makes = new Map(steps.flatMap(({ group }, i) => [...group.stored].map((node) => [node, i] as const)))
  const lastRead = new Map(steps.flatMap(({ lowered: { holds } }, i) => holds.map(({ node }) => [node, i] as const)))
  const taken = new Map<Node, AnyTensor>()
  for (const { path, value: next } of states) {
    const old = oldState(path)
    const own = makes.get(next.node)
    const step = steps[own ?? -1]
    if (old === undefined || own === undefined || step === undefined || taken.has(next.node)) continue
    if ((lastRead.get(old.node) ?? -1) <= own && readsBeforeItWrites(step, { old, next })) taken.set(next.node, old)
  }
  return steps.map((step) => {
    const inPlaceOf: InPlace = new Map([...taken].filter(([node]) => step.group.stored.has(node)))
    return inPlaceOf.size === 0 ? step : { group: step.group, lowered: lower(step.group, isMade, inPlaceOf), inPlaceOf }
  })
}
