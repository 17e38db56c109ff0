import type { Expr, Kernel, Statement } from './loop-ir.js'

/** A statement list with every `let` put back where its name is used. Equal expressions stay one object. */
const withoutLets = (statements: readonly Statement[], named: Map<string, Expr>): readonly Statement[] => {
  const done = new Map<Expr, Expr>()
  const put = (e: Expr): Expr => {
    const earlier = done.get(e)
    if (earlier !== undefined) return earlier
    const made = e.tag === 'variable' ? (named.get(e.name) ?? e) : rebuilt(e, put)
    done.set(e, made)
    return made
  }
  return statements.flatMap((s): readonly Statement[] => {
    switch (s.tag) {
      case 'let':
        named.set(s.name, put(s.value))
        return []
      case 'var':
      case 'assign':
        return [{ ...s, value: put(s.value) }]
      case 'for':
        return [{ ...s, body: withoutLets(s.body, named) }]
      case 'if':
        return [{ ...s, condition: put(s.condition), body: withoutLets(s.body, named) }]
      case 'barrier':
      case 'join':
        return [s]
      case 'store':
        return [{ ...s, at: put(s.at), value: put(s.value) }]
    }
  })
}

const rebuilt = (e: Expr, put: (e: Expr) => Expr): Expr =>
  e.tag === 'op' ? { ...e, operands: e.operands.map(put) } : e.tag === 'read' ? { ...e, at: put(e.at) } : e

/** The statements of a kernel's body, each expression in full. */
export const inFull = ({ body }: Kernel): readonly Statement[] => withoutLets(body, new Map())
