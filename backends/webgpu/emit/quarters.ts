import type { Expr } from '../../../compiler/index.js'
import type { Known } from './places.js'
import { variablesIn } from './reads-first.js'

const literal = (value: number): Expr => ({ tag: 'literal', dtype: 'i32', value })

const op = (name: 'add' | 'sub' | 'mul', ...operands: readonly Expr[]): Expr => ({ tag: 'op', dtype: 'i32', op: name, operands })

/** A quarter of a place at a multiple of four, without a division; undefined where it cannot be written so. */
export const quarterOf = (e: Expr, known: Known): Expr | undefined => {
  if (e.tag === 'literal') return e.value % 4 === 0 ? literal(e.value / 4) : undefined
  if (e.tag === 'variable') {
    const value = known.lets.get(e.name)
    return value && quarterOf(value, known) && { ...e, name: quarterName(e.name) }
  }
  if (e.tag === 'parameter')
    return (known.multiples[e.slot] ?? 1) % 4 === 0 ? { tag: 'op', dtype: 'i32', op: 'quotient', operands: [e, literal(4)] } : undefined
  const [x, y] = e.tag === 'op' ? e.operands : []
  if (e.tag !== 'op' || x === undefined || y === undefined) return undefined
  const [p, q] = [quarterOf(x, known), quarterOf(y, known)]
  if (e.op === 'mul') return q === undefined ? p && op('mul', p, y) : op('mul', x, q)
  return (e.op === 'add' || e.op === 'sub') && p !== undefined && q !== undefined ? op(e.op, p, q) : undefined
}

/** The name of a quarter of what a `let` names. */
export const quarterName = (name: string): string => `${name}_4`

/** The quarters, by what the `let`s that they are quarters of name, that some places need. */
export const quartersFor = (places: readonly Expr[], known: Known): ReadonlyMap<string, Expr> => {
  const quarters = new Map<string, Expr>()
  const need = (e: Expr): void => {
    const names = new Set(variablesIn(e))
    for (const [name, value] of known.lets) {
      if (!names.has(quarterName(name)) || quarters.has(name)) continue
      const quarter = quarterOf(value, known)
      if (quarter === undefined) continue
      quarters.set(name, quarter)
      need(quarter)
    }
  }
  places.forEach(need)
  return quarters
}
