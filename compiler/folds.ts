import type { Expr, FoldOp, Statement } from './loop-ir.js'
import { exprsOf, withInner } from './within.js'

export type For = Extract<Statement, { readonly tag: 'for' }>

/** By the variable outside a loop: how it is folded there, so that the turns may be taken in parts, each of which folds its own. */
export type Folds = ReadonlyMap<string, FoldOp>

const isFoldOp = (op: string): op is FoldOp => op === 'add' || op === 'max' || op === 'min'

/** The operation and what it takes in, of `name = name op x`. */
export const foldOf = (name: string, value: Expr): { readonly op: FoldOp; readonly x: Expr } | undefined => {
  if (value.tag !== 'op' || !isFoldOp(value.op)) return undefined
  const [first, second] = value.operands
  return first?.tag === 'variable' && first.name === name && second !== undefined ? { op: value.op, x: second } : undefined
}

export const mentions = (statements: readonly Statement[], name: string): boolean =>
  [...exprsOf(statements)].some((e) => e.tag === 'variable' && e.name === name)

/** The variables that statements declare, at any depth. */
export const declaredIn = (statements: readonly Statement[]): ReadonlySet<string> =>
  new Set(statements.flatMap(withInner).flatMap((s) => (s.tag === 'let' || s.tag === 'var' ? [s.name] : [])))

/** How a loop folds what lies outside it; undefined where it does anything else to it, or reads it otherwise. */
export const foldsIn = ({ body }: For): Folds | undefined => {
  const declared = declaredIn(body)
  const inner = body.flatMap(withInner)
  const assigned = inner.flatMap((s) => (s.tag === 'assign' && !declared.has(s.name) ? [s] : []))
  const folds = new Map(
    assigned.flatMap((s) => {
      const fold = foldOf(s.name, s.value)
      return fold === undefined ? [] : [[s.name, fold.op] as const]
    }),
  )
  const rest = inner.map((s): Statement => {
    const fold = s.tag === 'assign' && folds.has(s.name) ? foldOf(s.name, s.value) : undefined
    return fold === undefined || s.tag !== 'assign' ? (s.tag === 'for' || s.tag === 'if' ? { ...s, body: [] } : s) : { ...s, value: fold.x }
  })
  return folds.size === assigned.length && [...folds.keys()].every((name) => !mentions(rest, name)) ? folds : undefined
}
