import {
  copy,
  createExprs,
  type Expr,
  exprsOf,
  type For,
  indicesIn,
  type Loop,
  renamedExpr,
  sameNames,
  type Statement,
  withInner,
} from '../../../../compiler/index.js'
import { narrowed } from './narrowed.js'
import { createNumbers } from './numbers.js'
import { plus } from './strides.js'

/** A comparison of a loop's index that comes out one way before a turn, and the other way from it on. */
interface Bound {
  readonly comparison: Expr
  readonly turn: Expr
  readonly before: boolean
}

/** Whether a number is made of sizes and of the indices of loops outside. */
const isOutside = (e: Expr, inside: ReadonlySet<string>): boolean => {
  if (e.tag === 'index') return !inside.has(e.name)
  return e.tag === 'literal' || e.tag === 'parameter' || (e.tag === 'op' && e.operands.every((x) => isOutside(x, inside)))
}

const leastOf = (x: Expr, y: Expr): Expr => ({ tag: 'op', op: 'min', dtype: 'i32', operands: [x, y] })

const one: Expr = { tag: 'literal', dtype: 'i32', value: 1 }

/**
 * Of i < n, i ≤ n, n < i and n ≤ i, where n is no number but the index of a loop outside, or made of one. An index is compared with no more
 * than its extent, since the greatest number has none after it.
 */
const boundOf = ({ index, extent }: Loop, e: Expr): Bound | undefined => {
  if (e.tag !== 'op' || (e.op !== 'less' && e.op !== 'lessEqual')) return undefined
  const [x, y] = e.operands
  const isIndex = (side: Expr | undefined): boolean => side?.tag === 'index' && side.name === index
  const other = isIndex(x) ? y : isIndex(y) ? x : undefined
  if (other === undefined || indicesIn(other).size === 0 || !isOutside(other, new Set([index]))) return undefined
  const before = isIndex(x)
  return { comparison: e, turn: (e.op === 'less') === before ? other : plus(leastOf(other, extent), one), before }
}

/** A loop as two: the turns before a bound, and the others. In each there is nothing to choose. */
const cut = ({ loop, body }: For, { comparison, turn, before }: Bound, next: string): readonly Statement[] => {
  const exprs = createExprs()
  const { op, plus, minus, literal, index } = exprs
  const numbers = createNumbers()
  const number = numbers(comparison)
  const same = renamedExpr(exprs, sameNames(exprs))
  const extent = same(loop.extent)
  const first = op('min', 'i32', op('max', 'i32', literal(0), same(turn)), extent)
  const half = (name: string, size: Expr, from: Expr, comes: boolean): Statement => {
    const names = narrowed(exprs, {
      index: (other) => (other === loop.index ? plus(from, index(name)) : index(other)),
      rangeOf: () => undefined,
      comes: (e) => (numbers(e) === number ? comes : undefined),
    })
    return { tag: 'for', loop: { index: name, extent: size }, body: copy(exprs, names)(body) }
  }
  return [half(loop.index, first, literal(0), before), half(next, minus(extent, first), first, !before)]
}

/**
 * A body in which each loop that has no loops in it, and that chooses by comparing its index with that of a loop outside, is two loops: half
 * of what a causal mask hides is not computed.
 */
export const toldApart = (body: readonly Statement[], firstLoop: number): readonly Statement[] => {
  let next = firstLoop
  return body.flatMap((s): readonly Statement[] => {
    if (s.tag !== 'for' || s.body.flatMap(withInner).some(({ tag }) => tag === 'for')) return [s]
    const [bound] = [...exprsOf(s.body)].flatMap((e) => boundOf(s.loop, e) ?? [])
    return bound === undefined ? [s] : cut(s, bound, `i${String(next++)}`)
  })
}
