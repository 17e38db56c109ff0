import type { Exprs } from './exprs.js'
import type { Expr, Statement } from './loop-ir.js'

/** What the indices, loops and variables of a copy are called. */
export interface Names {
  readonly index: (name: string) => Expr
  readonly loop: (name: string) => string
  readonly variable: (name: string) => string
  /** The number that a buffer has in the copy; the same unless said. */
  readonly buffer?: (number: number) => number
  /** What an operation becomes, whose operands have become these; undefined where it is the same of them. */
  readonly op?: (e: Op, operands: readonly Expr[]) => Expr | undefined
}

type Op = Extract<Expr, { readonly tag: 'op' }>

/** All as it was. */
export const sameNames = (exprs: Exprs): Names => ({ index: exprs.index, loop: (name) => name, variable: (name) => name })

const bufferIn = ({ buffer }: Names, number: number): number => buffer?.(number) ?? number

/** The same expression with other names. */
export const renamedExpr = (exprs: Exprs, names: Names): ((e: Expr) => Expr) => {
  const done = new Map<Expr, Expr>()
  const made = (e: Expr): Expr => {
    switch (e.tag) {
      case 'literal':
        return exprs.literal(e.value, e.dtype)
      case 'parameter':
        return exprs.parameter(e.slot, e.dtype)
      case 'index':
        return names.index(e.name)
      case 'variable':
        return exprs.variable(names.variable(e.name), e.dtype)
      case 'read':
        return exprs.read(bufferIn(names, e.buffer), e.dtype, put(e.at))
      case 'op': {
        const operands = e.operands.map(put)
        const other = names.op?.(e, operands)
        if (other !== undefined) return other
        const [x, y] = operands
        if (e.dtype !== 'i32' || x === undefined || y === undefined) return exprs.op(e.op, e.dtype, ...operands)
        return e.op === 'add' ? exprs.plus(x, y) : e.op === 'mul' ? exprs.times(x, y) : exprs.op(e.op, e.dtype, ...operands)
      }
    }
  }
  const put = (e: Expr): Expr => {
    const known = done.get(e) ?? made(e)
    done.set(e, known)
    return known
  }
  return put
}

/** The same statements with other names. Equal expressions of all copies made with one `exprs` are one object. */
export const copy = (exprs: Exprs, names: Names): ((statements: readonly Statement[]) => readonly Statement[]) => {
  const put = renamedExpr(exprs, names)
  const all = (statements: readonly Statement[]): readonly Statement[] =>
    statements.map((s): Statement => {
      switch (s.tag) {
        case 'let':
        case 'var':
        case 'assign':
          return { ...s, name: names.variable(s.name), value: put(s.value) }
        case 'for':
          return { ...s, loop: { index: names.loop(s.loop.index), extent: put(s.loop.extent) }, body: all(s.body) }
        case 'if':
          return { ...s, condition: put(s.condition), body: all(s.body) }
        case 'barrier':
          return s
        case 'join':
          return { ...s, name: names.variable(s.name), memory: bufferIn(names, s.memory) }
        case 'store':
          return { ...s, buffer: bufferIn(names, s.buffer), at: put(s.at), value: put(s.value) }
      }
    })
  return all
}

/** Copies of the same statements side by side: what is a loop in each becomes one loop for all. */
export const jam = (copies: readonly (readonly Statement[])[]): readonly Statement[] =>
  (copies[0] ?? []).flatMap((s, i): readonly Statement[] => {
    const all = copies.flatMap((statements) => statements[i] ?? [])
    return s.tag === 'for' ? [{ ...s, body: jam(all.map((other) => (other.tag === 'for' ? other.body : []))) }] : all
  })
