import type { Expr } from '../../../../compiler/index.js'

export const literal = (value: number): Expr => ({ tag: 'literal', dtype: 'i32', value })

export const whole = (e: Expr): number | undefined => (e.tag === 'literal' ? e.value : undefined)

export const plus = (x: Expr, y: Expr): Expr => {
  const [a, b] = [whole(x), whole(y)]
  if (a !== undefined && b !== undefined) return literal(a + b)
  return a === 0 ? y : b === 0 ? x : { tag: 'op', dtype: 'i32', op: 'add', operands: [x, y] }
}

export const minus = (x: Expr, y: Expr): Expr => {
  const [a, b] = [whole(x), whole(y)]
  if (a !== undefined && b !== undefined) return literal(a - b)
  return b === 0 ? x : { tag: 'op', dtype: 'i32', op: 'sub', operands: [x, y] }
}

export const times = (x: Expr, y: Expr): Expr => {
  const [a, b] = [whole(x), whole(y)]
  if (a !== undefined && b !== undefined) return literal(a * b)
  return a === 0 || b === 1 ? x : b === 0 || a === 1 ? y : { tag: 'op', dtype: 'i32', op: 'mul', operands: [x, y] }
}

/** What a variable is within a loop: what a `let` there has named, or whether it differs from turn to turn. */
export type Variable = Expr | 'same' | 'varies'

/** By how much an expression grows from a turn of a loop to the next: 0 where it is the same, undefined where that differs. */
export type Strides = (e: Expr) => Expr | undefined

/** The strides along a loop, by its index. */
export const stridesAlong = (index: string, variable: (name: string) => Variable): Strides => {
  const known = new Map<Expr, Expr | undefined>()
  const of: Strides = (e) => {
    if (!known.has(e)) known.set(e, found(e))
    return known.get(e)
  }
  const found: Strides = (e) => {
    switch (e.tag) {
      case 'literal':
      case 'parameter':
        return literal(0)
      case 'index':
        return literal(e.name === index ? 1 : 0)
      case 'variable': {
        const value = variable(e.name)
        return value === 'same' ? literal(0) : value === 'varies' ? undefined : of(value)
      }
      case 'read':
        return isSame(of(e.at)) ? literal(0) : undefined
      case 'op': {
        const strides = e.operands.map(of)
        if (strides.every(isSame)) return literal(0)
        const [x, y] = strides
        if (e.dtype !== 'i32' || x === undefined || y === undefined) return undefined
        if (e.op === 'add') return plus(x, y)
        if (e.op === 'sub') return minus(x, y)
        const [left, right] = e.operands
        if (e.op !== 'mul' || left === undefined || right === undefined) return undefined
        return isSame(x) ? times(left, y) : isSame(y) ? times(x, right) : undefined
      }
    }
  }
  return of
}

/** Whether one of these places is next to its neighbour's along a loop that changes nothing else. */
export const isStoredAlong = (index: string, places: readonly Expr[]): boolean => {
  const strides = stridesAlong(index, () => 'same')
  return places.some((at) => isUnit(strides(at)))
}

/** Whether nothing changes from turn to turn. */
export const isSame = (stride: Expr | undefined): boolean => stride !== undefined && whole(stride) === 0

/** Whether neighbours are neighbours in memory. */
export const isUnit = (stride: Expr | undefined): boolean => stride !== undefined && whole(stride) === 1
