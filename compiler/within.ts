import { type Expr, ownExprs, partsOf, type Statement } from './loop-ir.js'

/** A statement and those inside it. */
export const withInner = (s: Statement): readonly Statement[] => [
  s,
  ...(s.tag === 'for' || s.tag === 'if' ? s.body.flatMap(withInner) : []),
]

/** Expressions and those inside them, each once, outermost first. */
export const exprsIn = (...roots: readonly Expr[]): ReadonlySet<Expr> => {
  const seen = new Set<Expr>()
  const visit = (e: Expr): void => {
    if (seen.has(e)) return
    seen.add(e)
    partsOf(e).forEach(visit)
  }
  roots.forEach(visit)
  return seen
}

/** Every expression in statements, those inside them too. */
export const exprsOf = (statements: readonly Statement[]): ReadonlySet<Expr> => exprsIn(...statements.flatMap(withInner).flatMap(ownExprs))
