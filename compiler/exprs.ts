import type { DType } from '../dsl/index.js'
import type { Expr, LoopOp } from './loop-ir.js'

/** Makes the expressions of one kernel so that equal ones are one object. Whole numbers are folded; floats never are. */
export interface Exprs {
  readonly literal: (value: number, dtype?: DType) => Expr
  readonly parameter: (slot: number, dtype: 'i32' | 'f32') => Expr
  readonly index: (name: string) => Expr
  readonly variable: (name: string, dtype: DType) => Extract<Expr, { readonly tag: 'variable' }>
  readonly read: (buffer: number, dtype: DType, at: Expr) => Expr
  readonly op: (op: LoopOp, dtype: DType, ...operands: readonly Expr[]) => Expr
  readonly plus: (x: Expr, y: Expr) => Expr
  readonly minus: (x: Expr, y: Expr) => Expr
  readonly times: (x: Expr, y: Expr) => Expr
  /** A number that is the same for equal expressions and no others. */
  readonly idOf: (e: Expr) => number
}

const whole = (e: Expr): number | undefined => (e.tag === 'literal' && e.dtype === 'i32' ? e.value : undefined)

export const createExprs = (): Exprs => {
  const known = new Map<string, Expr>()
  const ids = new Map<Expr, number>()
  const idOf = (e: Expr): number => ids.get(e) ?? -1
  const unique = <E extends Expr>(key: string, e: E): E => {
    const earlier = known.get(key)
    if (earlier !== undefined) return earlier as E
    known.set(key, e)
    ids.set(e, ids.size)
    return e
  }
  const literal = (value: number, dtype: DType = 'i32'): Expr => unique<Expr>(`${dtype} ${String(value)}`, { tag: 'literal', dtype, value })
  const op = (name: LoopOp, dtype: DType, ...operands: readonly Expr[]): Expr =>
    unique<Expr>(`${name} ${dtype} ${operands.map(idOf).join(' ')}`, { tag: 'op', dtype, op: name, operands })
  const plus = (x: Expr, y: Expr): Expr => {
    const [a, b] = [whole(x), whole(y)]
    if (a !== undefined && b !== undefined) return literal(a + b)
    return a === 0 ? y : b === 0 ? x : op('add', 'i32', x, y)
  }
  const minus = (x: Expr, y: Expr): Expr => {
    const [a, b] = [whole(x), whole(y)]
    if (a !== undefined && b !== undefined) return literal(a - b)
    return b === 0 ? x : op('sub', 'i32', x, y)
  }
  const times = (x: Expr, y: Expr): Expr => {
    const [a, b] = [whole(x), whole(y)]
    if (a !== undefined && b !== undefined) return literal(a * b)
    return a === 0 || b === 1 ? x : b === 0 || a === 1 ? y : op('mul', 'i32', x, y)
  }
  return {
    literal,
    parameter: (slot, dtype) => unique(`parameter ${String(slot)}`, { tag: 'parameter', dtype, slot }),
    index: (name) => unique(`index ${name}`, { tag: 'index', dtype: 'i32', name }),
    variable: (name, dtype) => unique(`variable ${name}`, { tag: 'variable', dtype, name }),
    read: (buffer, dtype, at) => unique(`read ${String(buffer)} ${String(idOf(at))}`, { tag: 'read', dtype, buffer, at }),
    op,
    plus,
    minus,
    times,
    idOf,
  }
}
