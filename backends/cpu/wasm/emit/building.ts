import { createExprs, type Expr, type Exprs, type Loop, renamedExpr, sameNames, type Statement } from '../../../../compiler/index.js'

/** What statements over a scratch memory are built with. */
export interface Builder {
  readonly exprs: Exprs
  /** The number of the buffer that the scratch memory is. */
  readonly scratch: number
  readonly loop: (extent: Expr, body: (index: Expr) => readonly Statement[]) => Statement
}

export const builderFor = (scratch: number, firstLoop: number): Builder => {
  const exprs = createExprs()
  let next = firstLoop
  return {
    exprs,
    scratch,
    loop: (extent, body) => {
      const index = `i${String(next++)}`
      return { tag: 'for', loop: { index, extent }, body: body(exprs.index(index)) }
    },
  }
}

/** The number of points along loops. */
export const countOf = ({ exprs }: Builder, loops: readonly Loop[]): Expr =>
  loops.reduce<Expr>((count, { extent }) => exprs.times(count, renamedExpr(exprs, sameNames(exprs))(extent)), exprs.literal(1))

/** Where along each of some loops the point of a number lies. */
export const placesOf = (b: Builder, loops: readonly Loop[], point: Expr): ReadonlyMap<string, Expr> => {
  const [last, ...outer] = loops.toReversed()
  if (last === undefined) return new Map()
  if (outer.length === 0) return new Map([[last.index, point]])
  const size = countOf(b, [last])
  const { op } = b.exprs
  return new Map([
    [last.index, op('remainder', 'i32', point, size)],
    ...placesOf(b, outer.toReversed(), op('quotient', 'i32', point, size)),
  ])
}

/** Pieces of a range, one at least: where each begins, and how long it is. A sum of nothing is a piece without length. */
export const pieces = (
  b: Builder,
  count: Expr,
  side: number,
  name: string,
  body: (from: Expr, size: Expr) => readonly Statement[],
): Statement => {
  const { op, plus, minus, times, literal, variable } = b.exprs
  const pieceCount = op('max', 'i32', op('quotient', 'i32', plus(count, literal(side - 1)), literal(side)), literal(1))
  return b.loop(pieceCount, (piece) => {
    const from = times(piece, literal(side))
    return [{ tag: 'let', name, value: op('min', 'i32', literal(side), minus(count, from)) }, ...body(from, variable(name, 'i32'))]
  })
}
