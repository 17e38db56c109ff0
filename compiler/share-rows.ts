import { sizes } from '../dsl/index.js'
import { liesAlong } from './contraction.js'
import { copy, renamedExpr, sameNames } from './copies.js'
import { cutsOf, indicesIn } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import { foldsIn, type Folds, type For } from './folds.js'
import { beginsEmpty } from './folding.js'
import { inFull } from './full.js'
import { type Expr, type Kernel, type Statement, writtenBy } from './loop-ir.js'
import type { Plan } from './plan.js'
import { printExpr } from './print.js'
import { schedule } from './schedule.js'
import { nextLoop } from './tiled-space.js'
import { exprsOf, withInner } from './within.js'

type Store = Extract<Statement, { readonly tag: 'store' }>

const storesIn = (statements: readonly Statement[]): readonly Store[] =>
  statements.flatMap(withInner).flatMap((s) => (s.tag === 'store' ? [s] : []))

const terms = (e: Expr): readonly Expr[] => (e.tag === 'op' && e.op === 'add' ? e.operands.flatMap(terms) : [e])

/** Whether each turn of a loop writes an element of its own: its index is a term of the place, and in no other. */
const isApart = (at: Expr, index: string): boolean =>
  liesAlong({ tag: 'read', dtype: 'i32', buffer: 0, at }, index) && terms(at).filter((term) => indicesIn(term).has(index)).length === 1

/** Whether turns may be taken in any order by whoever comes: what they write is theirs, and stands in no loop inside. */
const turnsApart = ({ loop, body }: For): boolean =>
  storesIn(body).every((s) => body.includes(s) && isApart(s.at, loop.index)) && body.every(({ tag }) => tag !== 'if')

/** Whether what a loop reads of what the kernel writes is what the same turn writes. */
const readsOwn = (written: ReadonlySet<number>, statements: readonly Statement[]): boolean =>
  statements.every((s) => {
    const own = new Map(storesIn([s]).map(({ buffer, at }) => [buffer, printExpr(at)]))
    return [...exprsOf([s])].every(
      (e) => e.tag !== 'read' || !written.has(e.buffer) || (s.tag === 'for' && own.get(e.buffer) === printExpr(e.at)),
    )
  })

/** Each buffer that is written is written by one statement of a list. */
const writesOnce = (statements: readonly Statement[]): boolean => {
  const buffers = statements.flatMap((s) => [...new Set(storesIn([s]).map(({ buffer }) => buffer))])
  return new Set(buffers).size === buffers.length
}

interface Row {
  readonly body: readonly Statement[]
  /** What each of its loops folds. */
  readonly folds: ReadonlyMap<Statement, Folds>
}

const isLong = ({ loop: { extent } }: For, lanes: number): boolean => extent.tag !== 'literal' || extent.value >= lanes

/** A kernel's body as a row that a workgroup can share; undefined where it is none, or too short. */
const rowOf = (kernel: Kernel, lanes: number): Row | undefined => {
  const body = inFull(kernel)
  const loops = body.flatMap((s) => (s.tag === 'for' ? [s] : []))
  const plain = body.every(({ tag }) => tag === 'var' || tag === 'for' || tag === 'store')
  if (kernel.workgroup !== undefined || !plain || !loops.some((loop) => isLong(loop, lanes))) return undefined
  if (cutsOf(kernel.space, body, { outer: 4, inner: 4 }).length > 0 || !loops.every(turnsApart)) return undefined
  const found = loops.flatMap((loop) => {
    const folds = foldsIn(loop)
    return folds === undefined ? [] : [[loop, folds] as const]
  })
  const folded = found.flatMap(([, folds]) => [...folds.keys()])
  const begin = new Map(body.flatMap((s) => (s.tag === 'var' ? [[s.name, s] as const] : [])))
  const areEmpty = found.every(([, folds]) => [...folds].every(([name, op]) => begin.has(name) && beginsEmpty(begin.get(name)!, op)))
  const isWhole = found.length === loops.length && folded.length > 0 && new Set(folded).size === folded.length && areEmpty
  return isWhole && writesOnce(body) && readsOwn(writtenBy(kernel), body) ? { body, folds: new Map(found) } : undefined
}

/** The turns of a loop that one invocation takes: every n-th, n being how many share it, so that neighbours read neighbours. */
const everyNth = (exprs: Exprs, { loop, body }: For, lane: Expr, lanes: number): Statement => {
  const { op, plus, minus, times, literal, index } = exprs
  const same = sameNames(exprs)
  const extent = renamedExpr(exprs, same)(loop.extent)
  const left = plus(minus(extent, lane), literal(lanes - 1))
  const turns =
    extent.tag === 'literal' && extent.value % lanes === 0 ? literal(extent.value / lanes) : op('quotient', 'i32', left, literal(lanes))
  const moved = { ...same, index: (name: string) => (name === loop.index ? plus(times(index(name), literal(lanes)), lane) : index(name)) }
  return { tag: 'for', loop: { index: loop.index, extent: turns }, body: copy(exprs, moved)(body) }
}

const sharedRow = (kernel: Kernel, { body, folds }: Row, lanes: number): Kernel => {
  const exprs = createExprs()
  const same = copy(exprs, sameNames(exprs))
  const loop = { index: `i${String(nextLoop(kernel.space, body))}`, extent: exprs.literal(lanes) }
  const lane = exprs.index(loop.index)
  const begin = new Map(body.flatMap((s) => (s.tag === 'var' ? [[s.name, s.value.dtype] as const] : [])))
  const dtypes = [...new Set([...folds.values()].flatMap((of) => [...of.keys()].map((name) => begin.get(name)!)))]
  const shared = body.flatMap((s): readonly Statement[] => {
    if (s.tag === 'store') return [{ tag: 'if', condition: exprs.op('equal', 'bool', lane, exprs.literal(0)), body: same([s]) }]
    if (s.tag !== 'for') return same([s])
    const joins = [...(folds.get(s) ?? [])].map(([name, op]): Statement => {
      const dtype = begin.get(name)!
      return { tag: 'join', name, dtype, op, memory: kernel.buffers.length + dtypes.indexOf(dtype) }
    })
    return [everyNth(exprs, s, lane, lanes), ...joins]
  })
  return {
    ...kernel,
    space: [...kernel.space, loop],
    workgroup: { loops: 1, shared: dtypes.map((dtype) => ({ dtype, elements: lanes })) },
    body: schedule(shared, writtenBy(kernel)),
  }
}

/**
 * Rows shared by the invocations of workgroups, for devices that have many: each takes every n-th element of a row and folds what it took, and what
 * they have is joined, before the next loop over the row. `lanes` is how many share a row: a power of two.
 */
export const shareRows = <I, S, O>(plan: Plan<I, S, O>, lanes: number): Plan<I, S, O> => {
  const rows = plan.kernels.map((kernel) => rowOf(kernel, lanes))
  return {
    ...plan,
    kernels: plan.kernels.map((kernel, i) => {
      const row = rows[i]
      return row === undefined ? kernel : sharedRow(kernel, row, lanes)
    }),
    commands: plan.commands.map((command) =>
      command.tag === 'copy' || rows[command.kernel] === undefined
        ? command
        : { ...command, extents: [...command.extents, sizes.literal(lanes)] },
    ),
  }
}
