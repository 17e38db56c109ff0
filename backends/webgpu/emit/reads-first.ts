import { type Expr, partsOf, type Statement } from '../../../compiler/index.js'

/** The names of the variables in an expression. */
export const variablesIn = (e: Expr): readonly string[] => (e.tag === 'variable' ? [e.name] : partsOf(e).flatMap(variablesIn))

/** Whether a list names values and assigns, and no name stands for what an assignment changes: then the names may all come first. */
const isFree = (list: readonly Statement[]): boolean => {
  const assigned = new Set(list.flatMap((s) => (s.tag === 'assign' ? [s.name] : [])))
  return list.every((s) => s.tag === 'assign' || (s.tag === 'let' && !variablesIn(s.value).some((name) => assigned.has(name))))
}

const isLet = ({ tag }: Statement): boolean => tag === 'let'

/** In the innermost loops everything is read before anything is computed: drivers keep the order, and reads that wait together wait once. */
export const readsFirst = (list: readonly Statement[]): readonly Statement[] =>
  isFree(list)
    ? [...list.filter(isLet), ...list.filter((s) => !isLet(s))]
    : list.map((s) => (s.tag === 'for' || s.tag === 'if' ? { ...s, body: readsFirst(s.body) } : s))
