import { type Expr, inFull, type Kernel, type Statement, withInner } from '../../compiler/index.js'
import { type For, type FoldOp, foldsOf } from './wasm/emit/folds.js'

/** Into how many parts a fold is cut: more than a machine has cores, or results would depend on it. */
export const partCount = 64

/** More rows than this are shared by threads as they are. */
const mostRows = 1024

/** Fewer elements than this are folded before a thread is awake. */
const leastElements = 32_768

/** A loop that is cut has two turns for each part, at least, where it is known. */
const leastTurns = 2 * partCount

type Var = Extract<Statement, { readonly tag: 'var' }>

/** A kernel that folds in one nest of loops, for few rows. */
export interface Folding {
  readonly kernel: Kernel
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
const beginsEmpty = ({ value }: Var, op: FoldOp): boolean => op !== 'add' || (value.tag === 'literal' && value.value === 0)

const isWorth = ({ space }: Kernel, loop: For): boolean => {
  const rows = known(space.map(({ extent }) => extent))
  const loops = withInner(loop).flatMap((s) => (s.tag === 'for' ? [s.loop.extent] : []))
  const turns = whole(loop.loop.extent)
  return (
    rows !== undefined && rows <= mostRows && (turns ?? leastTurns) >= leastTurns && rows * (known(loops) ?? leastElements) >= leastElements
  )
}

/** A kernel as one whose fold is worth to be cut; undefined where it is not. */
export const foldingOf = (kernel: Kernel): Folding | undefined => {
  const body = inFull(kernel)
  const at = body.findIndex(({ tag }) => tag === 'for')
  const loop = body[at]
  const [starts, rest] = [body.slice(0, at), body.slice(at + 1)]
  if (kernel.space.length > 1 || loop?.tag !== 'for' || rest.some(({ tag }) => tag === 'for' || tag === 'if')) return undefined
  const folds = withInner(loop).some(isStore) ? undefined : foldsOf(loop)
  if (folds === undefined || !isWorth(kernel, loop)) return undefined
  const ops = starts.flatMap((s) => {
    const op = s.tag === 'var' ? folds.get(s.name) : undefined
    return op !== undefined && s.tag === 'var' && beginsEmpty(s, op) ? [op] : []
  })
  return ops.length === starts.length && ops.length === folds.size
    ? { kernel, starts: starts as readonly Var[], ops, loop, rest }
    : undefined
}
