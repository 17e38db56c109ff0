import { copy, jam, sameNames } from './copies.js'
import { liesAlong } from './contraction.js'
import { type Cut, cutsOf, indicesIn } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import { inFull } from './full.js'
import { type Expr, type Kernel, type Loop, type Statement, writtenBy } from './loop-ir.js'
import { multiplesIn } from './multiples.js'
import type { Command, Plan } from './plan.js'
import { schedule } from './schedule.js'
import { wholeTile } from './tile.js'
import { commandInTiles, spaceInTiles } from './tiled-space.js'
import { exprsOf, withInner } from './within.js'

/** Neighbours that a device reads and writes at once. */
const width = 4

/** More expressions than this are not made four times over: what that saves is little, and what compiling it takes is not. */
const mostExprs = 160

const isLoop = ({ tag }: Statement): boolean => tag === 'for'

/** The places of a list's own reads and writes. */
const placesIn = (statements: readonly Statement[]): readonly Expr[] => [
  ...[...exprsOf(statements)].flatMap((e) => (e.tag === 'read' ? [e.at] : [])),
  ...storesIn(statements),
]

/** The places that a list writes to. */
const storesIn = (statements: readonly Statement[]): readonly Expr[] =>
  statements.flatMap((s) => (s.tag === 'store' ? [s.at] : s.tag === 'if' ? storesIn(s.body) : []))

const goesAlong = (at: Expr, index: string): boolean => liesAlong({ tag: 'read', dtype: 'i32', buffer: 0, at }, index)

/** Whether so many times four is what a loop surely has. */
type IsWhole = (loop: Loop) => boolean

const isWholeBy =
  (multiples: readonly number[]): IsWhole =>
  ({ extent }) =>
    (extent.tag === 'literal' ? extent.value : extent.tag === 'parameter' ? (multiples[extent.slot] ?? 1) : 1) % width === 0

/** Whether the turns of a loop leave nothing to each other: each computes, then stores what it has computed, and reads none of it but its own. */
const areApart = (body: readonly Statement[]): boolean => {
  const stores = new Map(body.flatMap((s) => (s.tag === 'store' ? [[s.buffer, s.at]] : [])))
  return (
    body.every(({ tag }) => tag === 'var' || tag === 'store') &&
    stores.size === body.filter(({ tag }) => tag === 'store').length &&
    [...exprsOf(body)].every((e) => e.tag !== 'read' || !stores.has(e.buffer) || stores.get(e.buffer) === e.at)
  )
}

/** Four turns of a loop as one, in their order. */
const fourTurns = (exprs: Exprs, { index, extent }: Loop, body: readonly Statement[]): Statement => {
  const own = new Set(body.flatMap((s) => (s.tag === 'var' ? [s.name] : [])))
  const turn = (n: number): readonly Statement[] =>
    copy(exprs, {
      index: (name) =>
        name === index ? exprs.plus(exprs.times(exprs.index(name), exprs.literal(width)), exprs.literal(n)) : exprs.index(name),
      loop: (name) => name,
      variable: (name) => (own.has(name) ? `${name}${String(n)}` : name),
    })(body)
  const turns = extent.tag === 'literal' ? exprs.literal(extent.value / width) : exprs.op('quotient', 'i32', extent, exprs.literal(width))
  const all = Array.from({ length: width }, (_, n) => turn(n))
  return { tag: 'for', loop: { index, extent: turns }, body: areApart(body) ? jam(all) : all.flat() }
}

/** The innermost loops that go along memory, four turns at a time. */
const wideLoops = (exprs: Exprs, isWhole: IsWhole, statements: readonly Statement[]): readonly Statement[] =>
  statements.map((s): Statement => {
    if (s.tag !== 'for' && s.tag !== 'if') return s
    if (s.tag === 'if' || s.body.flatMap(withInner).some(isLoop)) return { ...s, body: wideLoops(exprs, isWhole, s.body) }
    return isWhole(s.loop) && placesIn(s.body).some((at) => goesAlong(at, s.loop.index)) ? fourTurns(exprs, s.loop, s.body) : s
  })

/** Whether points that lie beyond the end would touch nothing but what lies beyond the end of their buffers, by as much. */
const isFlat = ({ space }: Kernel, body: readonly Statement[], { index }: Loop): boolean =>
  space.length === 1 && placesIn(body).every((at) => (at.tag === 'index' && at.name === index) || !indicesIn(at).has(index))

/** Where the space of a kernel without loops goes along what it writes. */
const cutOf = (kernel: Kernel, body: readonly Statement[], isWhole: IsWhole): Cut | undefined => {
  const loop = kernel.space.at(-1)
  if (loop === undefined || !storesIn(body).some((at) => goesAlong(at, loop.index))) return undefined
  return isWhole(loop) || isFlat(kernel, body, loop) ? { loop, side: width, ragged: false } : undefined
}

const isLeft = (kernel: Kernel, body: readonly Statement[]): boolean =>
  kernel.workgroup !== undefined || exprsOf(body).size > mostExprs || cutsOf(kernel.space, body, { outer: width, inner: width }).length > 0

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

const widened = (kernel: Kernel, multiples: readonly number[]): { readonly kernel: Kernel; readonly cuts: readonly Cut[] } => {
  const [exprs, full] = [createExprs(), inFull(kernel)]
  if (isLeft(kernel, full)) return { kernel, cuts: [] }
  const isWhole = isWholeBy(multiples)
  const body = copy(exprs, sameNames(exprs))(full)
  if (body.flatMap(withInner).some(isLoop))
    return { kernel: { ...kernel, body: schedule(wideLoops(exprs, isWhole, body), writtenBy(kernel)) }, cuts: [] }
  const cut = cutOf(kernel, body, isWhole)
  if (cut === undefined) return { kernel, cuts: [] }
  const wide = { ...kernel, ...spaceInTiles(kernel, [cut], exprs), body: schedule(wholeTile(exprs, body, [cut]), writtenBy(kernel)) }
  return { kernel: wide, cuts: [cut] }
}

/**
 * What goes along memory goes four elements at a time, for devices that read and write four at once: loops that are whole fours, and points
 * of kernels without loops. Contractions, which are cut into tiles, are left. Every sum keeps its order, so the bits are the same. Where a
 * kernel goes through all that it touches as it lies, its last point touches a whole four, whatever is beyond the last element: memory is there,
 * and holds nothing else.
 */
export const widen = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => {
  const wide = plan.kernels.map((kernel, i) => widened(kernel, multiplesIn(plan, i)))
  const command = (dispatch: Dispatch): Dispatch =>
    commandInTiles(dispatch, plan.kernels[dispatch.kernel]!, wide[dispatch.kernel]?.cuts ?? [])
  return {
    ...plan,
    kernels: wide.map(({ kernel }) => kernel),
    commands: plan.commands.map((c) => (c.tag === 'copy' ? c : command(c))),
  }
}
