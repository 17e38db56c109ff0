import { type Expr, type Exprs, type LoopOp, type Names, sameNames } from '../../../../compiler/index.js'

/** All that a whole number may be. */
export interface Range {
  readonly least: number
  readonly most: number
}

export interface Narrow {
  /** What an index becomes. */
  readonly index: (name: string) => Expr
  /** What is known of an index that one became. */
  readonly rangeOf: (name: string) => Range | undefined
  /** How an expression, as it was, always comes out. */
  readonly comes?: (e: Expr) => boolean | undefined
}

/** Of sums and choices of whole numbers. */
const rangeOps: { readonly [O in LoopOp]?: (x: Range, y: Range) => Range } = {
  add: (x, y) => ({ least: x.least + y.least, most: x.most + y.most }),
  sub: (x, y) => ({ least: x.least - y.most, most: x.most - y.least }),
  min: (x, y) => ({ least: Math.min(x.least, y.least), most: Math.min(x.most, y.most) }),
  max: (x, y) => ({ least: Math.max(x.least, y.least), most: Math.max(x.most, y.most) }),
}

/** Whether sums in the range do not wrap around. */
const isHeld = ({ least, most }: Range): boolean => least >= -(2 ** 31) && most < 2 ** 31

const rangeIn =
  ({ rangeOf }: Pick<Narrow, 'rangeOf'>) =>
  (e: Expr): Range | undefined => {
    if (e.tag === 'literal' && e.dtype === 'i32') return { least: e.value, most: e.value }
    if (e.tag === 'index') return rangeOf(e.name)
    const ranges = e.tag === 'op' && e.dtype === 'i32' ? rangeOps[e.op] : undefined
    if (e.tag !== 'op' || ranges === undefined) return undefined
    const [x, y] = e.operands.map(rangeIn({ rangeOf }))
    const range = x && y && ranges(x, y)
    return range && isHeld(range) ? range : undefined
  }

/** How it always comes out, where it does. */
const comparisons: { readonly [O in LoopOp]?: (x: Range, y: Range) => boolean | undefined } = {
  less: (x, y) => (x.most < y.least ? true : x.least >= y.most ? false : undefined),
  lessEqual: (x, y) => (x.most <= y.least ? true : x.least > y.most ? false : undefined),
}

/** Which operand it always is, where it is one. */
const choices: { readonly [O in LoopOp]?: (x: Range, y: Range) => 0 | 1 | undefined } = {
  min: (x, y) => (x.most <= y.least ? 0 : y.most <= x.least ? 1 : undefined),
  max: (x, y) => (x.least >= y.most ? 0 : y.least >= x.most ? 1 : undefined),
}

const truth = (e: Expr | undefined): boolean | undefined => (e?.tag === 'literal' && e.dtype === 'bool' ? e.value !== 0 : undefined)

/** What remains of an operation on bools of which one is known. */
const logic: { readonly [O in LoopOp]?: (exprs: Exprs, ...operands: readonly [Expr, Expr, Expr]) => Expr | undefined } = {
  and: (_, x, y) => (truth(x) === true || truth(y) === false ? y : truth(y) === true || truth(x) === false ? x : undefined),
  or: (_, x, y) => (truth(x) === false || truth(y) === true ? y : truth(y) === false || truth(x) === true ? x : undefined),
  not: ({ literal }, x) => (truth(x) === undefined ? undefined : literal(truth(x) === true ? 0 : 1, 'bool')),
  select: (_, condition, x, y) => (truth(condition) === undefined ? undefined : truth(condition) === true ? x : y),
}

/** An expression of other indices, without what is never chosen where these are in their ranges. */
export const narrowed = (exprs: Exprs, narrow: Narrow): Names => {
  const rangeOf = rangeIn(narrow)
  return {
    ...sameNames(exprs),
    index: narrow.index,
    op: (e, operands) => {
      const comes = narrow.comes?.(e)
      if (comes !== undefined) return exprs.literal(comes ? 1 : 0, 'bool')
      const [x, y] = operands as readonly [Expr, Expr]
      const known = logic[e.op]?.(exprs, ...(operands as readonly [Expr, Expr, Expr]))
      if (known !== undefined) return known
      const [p, q] = operands.length === 2 && x.dtype === 'i32' ? [rangeOf(x), rangeOf(y)] : []
      if (p !== undefined && q !== undefined) {
        const always = comparisons[e.op]?.(p, q)
        if (always !== undefined) return exprs.literal(always ? 1 : 0, 'bool')
        const chosen = choices[e.op]?.(p, q)
        if (chosen !== undefined) return operands[chosen]
      }
      return e.op === 'sub' && e.dtype === 'i32' ? exprs.minus(x, y) : undefined
    },
  }
}
