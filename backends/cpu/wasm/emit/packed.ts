import { copy, type Expr, exprsIn, exprsOf, type Loop, renamedExpr, sameNames, type Statement } from '../../../../compiler/index.js'
import { builderFor, countOf, pieces, placesOf } from './building.js'
import { mathFunctions } from '../math.js'
import { blockColumns, blockDepth, blockRows, leftPanels, leftRows, leftWidth, pack, rightPanels } from './panels.js'
import type { Product } from './product.js'
import { isStoredAlong } from './strides.js'
import { type Finish, multiply, sumAt, tileFor } from './tiles.js'
import { blocksExpr, endUnit, firstUnit, type Part, rates, sideExpr, type Units } from './units.js'

interface Places {
  /** The number of the buffer that the scratch memory is. */
  readonly scratch: number
  /** How many parameters the kernel has. */
  readonly parameters: number
  readonly fused: boolean
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

/** What is done with a sum is done for each of a tile's, where it is so few operations; else in a loop over sums that are complete. */
const fewOperations = 8

const operationsIn = (rest: readonly Statement[]): number =>
  [...exprsOf(rest)].reduce((sum, e) => {
    const isMath = e.tag === 'op' && e.op in mathFunctions
    return sum + (isMath ? fewOperations : e.tag === 'read' || (e.tag === 'op' && e.dtype !== 'i32') ? 1 : 0)
  }, 0)

/** Whether a factor is read side by side along its depth, which is one loop. */
const isReadAlong = (factor: Expr, [only, ...others]: readonly Loop[]): boolean =>
  only !== undefined &&
  others.length === 0 &&
  isStoredAlong(
    only.index,
    [...exprsIn(factor)].flatMap((e) => (e.tag === 'read' ? [e.at] : [])),
  )

/**
 * A product of matrices in blocks. A block of the left factor and one of the right are copied to where a tile of sums finds what it
 * needs side by side, whatever the layout and whatever each factor has fused into it; a tile of sums stays in registers along the
 * block's whole depth; and what is done with the sums is done once they are complete. Each sum adds in the order of its loop.
 */
export const packed = (product: Product, { scratch, parameters, fused, firstLoop }: Places): Packed | undefined => {
  if (isSmall(product)) return undefined
  const b = builderFor(scratch, firstLoop)
  const { exprs } = b
  const { op, plus, minus, times, literal, read, variable } = exprs
  const counts = { rows: countOf(b, product.rows), columns: countOf(b, product.columns), over: countOf(b, product.over) }
  const mayChoose: Statement[] = []
  const inLanes: string[] = []
  const tile = tileFor(knownCount(product.columns), fused ? 'fused' : 'strict')
  const [leftAlong, rightAlong] = [product.left, product.right].map((factor) => isReadAlong(factor, product.over)) as [boolean, boolean]
  const left = leftAlong ? leftRows(tile.rows) : leftPanels
  const right = rightPanels(tile.columns)
  const isDirect = operationsIn(product.rest) <= fewOperations
  const at = (places: ReadonlyMap<string, Expr>, sum: string) => ({
    ...sameNames(exprs),
    index: (name: string) => places.get(name) ?? exprs.index(name),
    variable: (name: string) => (name === product.sum ? sum : `${name}.${sum}`),
  })

  const block = (batch: ReadonlyMap<string, Expr>, column: Expr, row: Expr, sides: Sides): readonly Statement[] => {
    const [columns, rows] = [variable('columns', 'i32'), variable('rows', 'i32')]
    const done = (i: Expr, j: Expr, sum: string): readonly Statement[] => {
      const places = new Map([...batch, ...placesOf(b, product.rows, plus(row, i)), ...placesOf(b, product.columns, plus(column, j))])
      return copy(exprs, at(places, sum))(product.rest)
    }
    return [
      { tag: 'let', name: 'columns', value: op('min', 'i32', sides.columns, minus(counts.columns, column)) },
      { tag: 'let', name: 'rows', value: op('min', 'i32', sides.rows, minus(counts.rows, row)) },
      pieces(b, counts.over, blockDepth, 'depth', (first, depth) => {
        const factor = (e: Expr, loops: readonly Loop[], from: Expr) => (place: Expr, k: Expr) =>
          renamedExpr(
            exprs,
            at(new Map([...batch, ...placesOf(b, loops, plus(from, place)), ...placesOf(b, product.over, plus(first, k))]), total),
          )(e)
        const [isFirst, isLast] = [op('equal', 'bool', first, literal(0)), op('lessEqual', 'bool', counts.over, plus(first, depth))]
        return [
          ...pack(
            b,
            { layout: right, size: columns, depth, alongDepth: rightAlong, valueAt: factor(product.right, product.columns, column) },
            inLanes,
          ),
          ...pack(b, { layout: left, size: rows, depth, alongDepth: leftAlong, valueAt: factor(product.left, product.rows, row) }, inLanes),
          multiply(b, tile, { rows, columns, depth, left, right, isFirst, isLast }, inLanes, isDirect ? done : undefined),
        ]
      }),
      finish(rows, columns, done),
    ]
  }

  /** What the registers have not finished: the sums beyond whole tiles, or all of them. */
  const finish = (rows: Expr, columns: Expr, done: Finish): Statement => {
    const whole = (size: Expr, side: number): Expr => times(op('quotient', 'i32', size, literal(side)), literal(side))
    const loop = b.loop(rows, (i) => {
      const isWhole = op('less', 'bool', i, whole(rows, tile.rows))
      const from = isDirect ? op('select', 'i32', isWhole, whole(columns, tile.columns), literal(0)) : literal(0)
      const along = b.loop(minus(columns, from), (beyond) => {
        const j = plus(from, beyond)
        return [{ tag: 'let', name: total, value: read(scratch, 'f32', sumAt(b, i, j)) }, ...done(i, j, total)]
      })
      return [along]
    })
    mayChoose.push(loop)
    return loop
  }

  const batchPart: Part = { loops: product.batch.map(({ index }) => index), most: 1, step: 1 }
  const columnPart: Part = { loops: product.columns.map(({ index }) => index), most: blockColumns, step: tile.columns }
  const rowPart: Part = { loops: product.rows.map(({ index }) => index), most: blockRows, step: leftWidth, least: 2 }
  const [first, end] = [firstUnit(parameters), endUnit(parameters)].map(renamedExpr(exprs, sameNames(exprs))) as [Expr, Expr]
  const batchCount = countOf(b, product.batch)
  const columnSide = sideExpr(exprs, columnPart, counts.columns, batchCount)
  const columnBlocks = blocksExpr(exprs, counts.columns, columnSide)
  const rowSide = sideExpr(exprs, rowPart, counts.rows, times(batchCount, columnBlocks))
  const rowBlocks = blocksExpr(exprs, counts.rows, rowSide)
  const eachUnit = b.loop(minus(end, first), (i) => {
    const unit = plus(first, i)
    const beyond = op('quotient', 'i32', unit, rowBlocks)
    const row = times(op('remainder', 'i32', unit, rowBlocks), rowSide)
    const column = times(op('remainder', 'i32', beyond, columnBlocks), columnSide)
    return block(placesOf(b, product.batch, op('quotient', 'i32', beyond, columnBlocks)), column, row, {
      rows: rowSide,
      columns: columnSide,
    })
  })

  const enough = [counts.rows, counts.columns]
    .filter((count) => count.tag !== 'literal')
    .map((count) => op('lessEqual', 'bool', literal(leastSide), count))
  return {
    units: { parts: [batchPart, columnPart, rowPart], rate: rates.tiles },
    body: [eachUnit],
    isWorth: enough.length === 0 ? undefined : enough.reduce((p, q) => op('and', 'bool', p, q)),
    inLanes,
    mayChoose,
  }
}

interface Sides {
  readonly rows: Expr
  readonly columns: Expr
}

/** What a sum is called where it is complete. */
const total = 'total'
