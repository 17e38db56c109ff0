import { type For, foldsIn } from './folds.js'
import { inFull } from './full.js'
import type { Expr, FoldOp, Kernel, Statement } from './loop-ir.js'
import { withInner } from './within.js'

/** More rows than this are shared by whoever works on them as they are. */
const mostRows = 1024

/** Fewer elements than this are folded before others are awake. */
const leastElements = 32_768

/** A loop that is cut has so many turns for each part, at least, where it is known. */
const leastTurns = 2

type Var = Extract<Statement, { readonly tag: 'var' }>

/** A kernel that folds in one nest of loops, for few rows. */
export interface Folding {
  readonly kernel: Kernel
  /** Into how many parts it is cut. */
  readonly parts: number
  readonly starts: readonly Var[]
  readonly ops: readonly FoldOp[]
  readonly loop: For
  readonly rest: readonly Statement[]
}

const whole = (extent: Expr): number | undefined => (extent.tag === 'literal' ? extent.value : undefined)

const known = (extents: readonly Expr[]): number | undefined =>
  extents.map(whole).reduce<number | undefined>((product, n) => (product === undefined || n === undefined ? undefined : product * n), 1)

const isStore = ({ tag }: Statement): boolean => tag === 'store'

/** Whether each part may begin with what the whole begins with. */
export const beginsEmpty = ({ value }: Var, op: FoldOp): boolean => op !== 'add' || (value.tag === 'literal' && value.value === 0)

/** Into how many parts a fold for so many rows is cut. */
export type PartsFor = (rows: number) => number

/** Into how many parts the loop is worth to be cut; undefined where it is not. */
const partsOf = ({ space }: Kernel, loop: For, partsFor: PartsFor): number | undefined => {
  const rows = known(space.map(({ extent }) => extent))
  if (rows === undefined || rows > mostRows) return undefined
  const parts = partsFor(rows)
  const loops = withInner(loop).flatMap((s) => (s.tag === 'for' ? [s.loop.extent] : []))
  const turns = whole(loop.loop.extent) ?? leastTurns * parts
  return turns >= leastTurns * parts && rows * (known(loops) ?? leastElements) >= leastElements ? parts : undefined
}

/** A kernel as one whose fold is worth to be cut; undefined where it is not. */
export const foldingOf = (kernel: Kernel, partsFor: PartsFor): Folding | undefined => {
  const body = inFull(kernel)
  const at = body.findIndex(({ tag }) => tag === 'for')
  const loop = body[at]
  const [starts, rest] = [body.slice(0, at), body.slice(at + 1)]
  if (kernel.space.length > 1 || loop?.tag !== 'for' || rest.some(({ tag }) => tag === 'for' || tag === 'if')) return undefined
  const folds = withInner(loop).some(isStore) ? undefined : foldsIn(loop)
  const parts = partsOf(kernel, loop, partsFor)
  if (folds === undefined || parts === undefined) return undefined
  const ops = starts.flatMap((s) => {
    const op = s.tag === 'var' ? folds.get(s.name) : undefined
    return op !== undefined && s.tag === 'var' && beginsEmpty(s, op) ? [op] : []
  })
  return ops.length === starts.length && ops.length === folds.size
    ? { kernel, parts, starts: starts as readonly Var[], ops, loop, rest }
    : undefined
}
