import type { AnyTensor, Leaf, Node } from '../dsl/index.js'
import type { Expr, Statement } from './loop-ir.js'
import { lower, type Lowered } from './lower.js'

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
    else visit(s.value)
  }
  statements.forEach(walk)
  return [...found]
}

type Store = Extract<Statement, { readonly tag: 'store' }>

const storesOf = (statements: readonly Statement[]): readonly Store[] =>
  statements.flatMap((s) => (s.tag === 'store' ? [s] : s.tag === 'for' || s.tag === 'if' ? storesOf(s.body) : []))

/**
 * Whether a kernel reads a tensor, if at all, only at the element that its first store is about to write: no other point of its space
 * writes there, no earlier turn of a loop, and no later store reads it.
 */
const readsOnlyWhereItWrites = ({ body, holds }: Lowered, tensor: AnyTensor): boolean => {
  const buffer = holds.findIndex(({ node }) => node === tensor.node)
  const isOfIt = (read: { readonly buffer: number }): boolean => read.buffer === buffer
  const [first, ...later] = storesOf(body)
  return (
    readsOf(body)
      .filter(isOfIt)
      .every(({ at }) => at === first?.at) && !readsOf(later).some(isOfIt)
  )
}

/** A tensor that is made, and how. */
export interface Step {
  readonly tensor: AnyTensor
  readonly lowered: Lowered
  readonly inPlaceOf?: AnyTensor
}

/**
 * A new state is written where the old one lies if its own kernel is the last to read the old one, and reads it only where it writes.
 * Otherwise it is made in the arena and copied when everything else is done.
 */
export const inPlace = (
  steps: readonly Step[],
  states: readonly Leaf<AnyTensor>[],
  oldState: (path: string) => AnyTensor | undefined,
  isMade: (node: Node) => boolean,
): readonly Step[] => {
  const taken = new Map<Node, AnyTensor>()
  for (const { path, value } of states) {
    const old = oldState(path)
    const own = steps.findIndex(({ tensor }) => tensor.node === value.node)
    if (old === undefined || own < 0 || taken.has(value.node)) continue
    const readLater = steps.slice(own + 1).some(({ lowered }) => lowered.holds.some(({ node }) => node === old.node))
    const step = steps[own]
    if (!readLater && step !== undefined && readsOnlyWhereItWrites(step.lowered, old)) taken.set(value.node, old)
  }
  return steps.map((step) => {
    const inPlaceOf = taken.get(step.tensor.node)
    return inPlaceOf === undefined ? step : { tensor: step.tensor, lowered: lower(step.tensor, isMade, inPlaceOf), inPlaceOf }
  })
}
