import { type Expr, exprsOf, type Statement, withInner } from '../../../../compiler/index.js'
import { createNumbers } from './numbers.js'
import { isSame, type Strides, stridesAlong } from './strides.js'

export type For = Extract<Statement, { readonly tag: 'for' }>

/** What a loop may do to a variable outside it and still be run in lanes, each of which folds a part of its own. */
export type FoldOp = 'add' | 'max' | 'min'

/** By the variable: how it is folded. */
export type Folds = ReadonlyMap<string, FoldOp>

const isFoldOp = (op: string): op is FoldOp => op === 'add' || op === 'max' || op === 'min'

/** The operation and what it takes in, of `name = name op x`. */
export const foldOf = (name: string, value: Expr): { readonly op: FoldOp; readonly x: Expr } | undefined => {
  if (value.tag !== 'op' || !isFoldOp(value.op)) return undefined
  const [first, second] = value.operands
  return first?.tag === 'variable' && first.name === name && second !== undefined ? { op: value.op, x: second } : undefined
}

const mentions = (statements: readonly Statement[], name: string): boolean =>
  [...exprsOf(statements)].some((e) => e.tag === 'variable' && e.name === name)

/** The variables that statements declare, at any depth. */
export const declaredIn = (statements: readonly Statement[]): ReadonlySet<string> =>
  new Set(statements.flatMap(withInner).flatMap((s) => (s.tag === 'let' || s.tag === 'var' ? [s.name] : [])))

/** The strides along a loop of statements in full: what is declared inside varies. */
export const stridesOf = (index: string, body: readonly Statement[]): Strides => {
  const declared = declaredIn(body)
  return stridesAlong(index, (name) => (declared.has(name) ? 'varies' : 'same'))
}

/** Whether each loop is as long in all lanes, and each `if` the same, or only assigns what does not have to be read there. */
export const masksOnly = (body: readonly Statement[], strides: Strides): boolean =>
  body.flatMap(withInner).every((s) => {
    if (s.tag === 'for') return isSame(strides(s.loop.extent))
    if (s.tag !== 'if' || isSame(strides(s.condition))) return true
    const inCondition = exprsOf([{ ...s, body: [] }])
    return s.body.every((inner) => inner.tag === 'assign' && [...exprsOf([inner])].every((e) => e.tag !== 'read' || inCondition.has(e)))
  })

/** How a loop that is not of the space folds what lies outside it; undefined where it cannot run in lanes. */
export const foldsOf = ({ loop, body }: For): Folds | undefined => {
  const numbers = createNumbers()
  const strides = stridesOf(loop.index, body)
  const declared = declaredIn(body)
  const inner = body.flatMap(withInner)
  const stores = inner.flatMap((s) => (s.tag === 'store' ? [s] : []))
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
  const reads = [...exprsOf(body)].flatMap((e) => (e.tag === 'read' ? [e] : []))
  const allFold = folds.size === assigned.length && [...folds.keys()].every((name) => !mentions(rest, name))
  const apart = stores.every(({ buffer, at }) => {
    const stride = strides(at)
    const place = numbers(at)
    return stride !== undefined && !isSame(stride) && reads.every((e) => e.buffer !== buffer || numbers(e.at) === place)
  })
  return allFold && apart && masksOnly(body, strides) ? folds : undefined
}

/** The outermost loop of nested ones, the last of which folds, that touches the variable nowhere else. */
export const regionOf = (path: readonly For[], name: string): For => {
  const innermost = path.at(-1)!
  const without = (statements: readonly Statement[]): readonly Statement[] =>
    statements.flatMap((s): readonly Statement[] =>
      s === innermost ? [] : s.tag === 'for' || s.tag === 'if' ? [{ ...s, body: without(s.body) }] : [s],
    )
  return path.find((outer) => !declaredIn(outer.body).has(name) && !mentions(without([outer]), name)) ?? innermost
}
