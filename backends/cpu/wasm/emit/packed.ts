import { copy, type Expr, type Loop, renamedExpr, type Statement } from '../../../../compiler/index.js'
import { builderFor, countOf, pieces, placesOf, sameNames } from './building.js'
import { blockColumns, blockDepth, blockRows, leftAt, multiply, pack, rightAt, tileColumns, tileRows } from './panels.js'
import type { Product } from './product.js'
import { endUnit, firstUnit, type Units } from './units.js'

interface Places {
  /** The number of the buffer that the scratch memory is. */
  readonly scratch: number
  /** How many parameters the kernel has. */
  readonly parameters: number
  /** The number of the first loop of its own. */
  readonly firstLoop: number
}

export interface Packed {
  readonly units: Units
  readonly body: readonly Statement[]
  /** Whether there are rows and columns enough to be worth the copies; undefined where that is sure. */
  readonly isWorth: Expr | undefined
  /** The loops that run in lanes whatever they cost. */
  readonly inLanes: readonly string[]
  /** The statements in which a loop may be chosen to. */
  readonly mayChoose: readonly Statement[]
}

/** Fewer rows or columns than this leave most of a tile empty, and each copy to be used but a few times. */
const leastSide = 8

/** Whether a product is never worth the copies. */
const isSmall = ({ rows, columns }: Product): boolean => [rows, columns].some((loops) => (knownCount(loops) ?? leastSide) < leastSide)

const knownCount = (loops: readonly Loop[]): number | undefined =>
  loops.reduce<number | undefined>(
    (count, { extent }) => (count === undefined || extent.tag !== 'literal' ? undefined : count * extent.value),
    1,
  )

/**
 * A product of matrices in blocks. A block of the left factor and one of the right are copied to where a tile of sums finds what it
 * needs side by side, whatever the layout and whatever each factor has fused into it; a tile of sums stays in registers along the
 * block's whole depth; and what is done with the sums is done once they are complete, row by row. Each sum adds in the order of its loop.
 */
export const packed = (product: Product, { scratch, parameters, firstLoop }: Places): Packed | undefined => {
  if (isSmall(product)) return undefined
  const b = builderFor(scratch, firstLoop)
  const { exprs } = b
  const { op, plus, minus, times, literal, read, variable } = exprs
  const counts = { rows: countOf(b, product.rows), columns: countOf(b, product.columns), over: countOf(b, product.over) }
  const mayChoose: Statement[] = []
  const inLanes: string[] = []
  const at = (places: ReadonlyMap<string, Expr>) => ({
    ...sameNames(exprs),
    index: (name: string) => places.get(name) ?? exprs.index(name),
    variable: (name: string) => (name === product.sum ? total : name),
  })

  const block = (batch: ReadonlyMap<string, Expr>, column: Expr, row: Expr): readonly Statement[] => {
    const [columns, rows] = [variable('columns', 'i32'), variable('rows', 'i32')]
    return [
      { tag: 'let', name: 'columns', value: op('min', 'i32', literal(blockColumns), minus(counts.columns, column)) },
      { tag: 'let', name: 'rows', value: op('min', 'i32', literal(blockRows), minus(counts.rows, row)) },
      pieces(b, counts.over, blockDepth, 'depth', (first, depth) => {
        const factor = (e: Expr, loops: readonly Loop[], from: Expr) => (place: Expr, k: Expr) =>
          renamedExpr(
            exprs,
            at(new Map([...batch, ...placesOf(b, loops, plus(from, place)), ...placesOf(b, product.over, plus(first, k))])),
          )(e)
        const copies = [
          ...pack(b, rightAt, tileColumns, columns, depth, factor(product.right, product.columns, column)),
          ...pack(b, leftAt, tileRows, rows, depth, factor(product.left, product.rows, row)),
        ]
        mayChoose.push(...copies.flatMap((s) => (s.tag === 'for' || s.tag === 'if' ? s.body : [])))
        return [...copies, multiply(b, rows, columns, depth, op('equal', 'bool', first, literal(0)), inLanes)]
      }),
      ...finish(batch, row, rows, column, columns),
    ]
  }

  const finish = (batch: ReadonlyMap<string, Expr>, row: Expr, rows: Expr, column: Expr, columns: Expr): readonly Statement[] => {
    const along = (i: Expr): Statement =>
      b.loop(columns, (j) => {
        const places = new Map([...batch, ...placesOf(b, product.rows, plus(row, i)), ...placesOf(b, product.columns, plus(column, j))])
        const sum = read(scratch, 'f32', plus(times(i, literal(blockColumns)), j))
        return [{ tag: 'let', name: total, value: sum }, ...copy(exprs, at(places))(product.rest)]
      })
    const loop = b.loop(rows, (i) => [along(i)])
    mayChoose.push(loop)
    return [loop]
  }

  const blocksOf = (count: Expr, side: number): Expr => op('quotient', 'i32', plus(count, literal(side - 1)), literal(side))
  const [first, end] = [firstUnit(parameters), endUnit(parameters)].map(renamedExpr(exprs, sameNames(exprs))) as [Expr, Expr]
  const [rowBlocks, columnBlocks] = [blocksOf(counts.rows, blockRows), blocksOf(counts.columns, blockColumns)]
  const eachUnit = b.loop(minus(end, first), (i) => {
    const unit = plus(first, i)
    const beyond = op('quotient', 'i32', unit, rowBlocks)
    const row = times(op('remainder', 'i32', unit, rowBlocks), literal(blockRows))
    const column = times(op('remainder', 'i32', beyond, columnBlocks), literal(blockColumns))
    return block(placesOf(b, product.batch, op('quotient', 'i32', beyond, columnBlocks)), column, row)
  })
  const units: Units = [
    { loops: product.batch.map(({ index }) => index), side: 1 },
    { loops: product.columns.map(({ index }) => index), side: blockColumns },
    { loops: product.rows.map(({ index }) => index), side: blockRows },
  ]

  const enough = [counts.rows, counts.columns]
    .filter((count) => count.tag !== 'literal')
    .map((count) => op('lessEqual', 'bool', literal(leastSide), count))
  return {
    units,
    body: [eachUnit],
    isWorth: enough.length === 0 ? undefined : enough.reduce((p, q) => op('and', 'bool', p, q)),
    inLanes,
    mayChoose,
  }
}

/** What a sum is called where it is complete. */
const total = 'total'
