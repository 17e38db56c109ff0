import type { Expr, Statement } from '../../../../compiler/index.js'
import type { Builder } from './building.js'
import { blockColumns, type Layout, placeIn } from './panels.js'

/** The sums that registers hold at once. */
export interface Tile {
  readonly rows: number
  readonly columns: number
  /** How much of a core's multiply-adds it does, measured: with multiply-adds, and strictly with an addition after a product. */
  readonly fused: number
  readonly strict: number
}

/** Sixteen registers hold no more sums beside the factors. */
const tiles: readonly Tile[] = [
  { rows: 3, columns: 12, fused: 0.97, strict: 0.58 },
  { rows: 4, columns: 8, fused: 0.92, strict: 0.65 },
]

/** The tile that loses least at the edge, where the number of columns is known. */
export const tileFor = (columns: number | undefined, kind: 'fused' | 'strict'): Tile =>
  tiles.reduce((best, tile) => {
    const work = (t: Tile): number => (columns === undefined ? 1 : Math.ceil(columns / t.columns) * t.columns) / t[kind]
    return work(tile) < work(best) ? tile : best
  })

interface Block {
  readonly rows: Expr
  readonly columns: Expr
  readonly depth: Expr
  readonly left: Layout
  readonly right: Layout
  /** Whether the sums begin here, and whether they end here. */
  readonly isFirst: Expr
  readonly isLast: Expr
}

/** What is done with the sum of a row and a column, where it is done from the registers. */
export type Finish = (row: Expr, column: Expr, sum: string) => readonly Statement[]

/** Where the sum of a row and a column waits until it is complete. */
export const sumAt = ({ exprs: { plus, times, literal } }: Builder, row: Expr, column: Expr): Expr =>
  plus(times(row, literal(blockColumns)), column)

/** Add what a block's depth adds to every tile of its sums. */
export const multiply = (b: Builder, tile: Tile, block: Block, inLanes: string[], finish: Finish | undefined): Statement => {
  const { op, plus, times, literal, read, variable } = b.exprs
  const { rows, columns, depth, left, right, isFirst, isLast } = block
  const count = (size: Expr, side: number): Expr => op('quotient', 'i32', plus(size, literal(side - 1)), literal(side))
  const vectors = tile.columns / 4
  const sums = Array.from({ length: tile.rows * vectors }, (_, i) => ({
    row: Math.floor(i / vectors),
    vector: i % vectors,
    name: `sum${String(i)}`,
  }))
  const oneTile = (across: Expr, down: Expr, lane: Expr): readonly Statement[] => {
    const rowAt = (row: number): Expr => plus(times(down, literal(tile.rows)), literal(row))
    const columnAt = (vector: number): Expr => plus(times(across, literal(tile.columns)), plus(lane, literal(4 * vector)))
    const waiting = (row: number, vector: number): Expr => sumAt(b, rowAt(row), columnAt(vector))
    const isThere = [op('lessEqual', 'bool', rowAt(tile.rows), rows), op('lessEqual', 'bool', times(plus(across, literal(1)), literal(tile.columns)), columns)] // prettier-ignore
    const isDone = isThere.reduce((p, q) => op('and', 'bool', p, q), isLast)
    const keep = sums.map(({ row, vector, name }): Statement => ({
      tag: 'store',
      buffer: b.scratch,
      at: waiting(row, vector),
      value: variable(name, 'f32'),
    }))
    const ends: readonly Statement[] =
      finish === undefined
        ? keep
        : [
            { tag: 'if', condition: isDone, body: sums.flatMap(({ row, vector, name }) => finish(rowAt(row), columnAt(vector), name)) },
            { tag: 'if', condition: op('not', 'bool', isDone), body: keep },
          ]
    return [
      ...sums.map(({ name }): Statement => ({ tag: 'var', name, value: literal(0, 'f32') })),
      {
        tag: 'if',
        condition: op('not', 'bool', isFirst),
        body: sums.map(({ row, vector, name }) => ({ tag: 'assign', name, value: read(b.scratch, 'f32', waiting(row, vector)) })),
      },
      b.loop(depth, (k) => step(across, down, lane, k)),
      ...ends,
    ]
  }
  /** The rows of a tile follow each other within a panel of the left factor. */
  const leftPlace = (down: Expr, row: number, k: Expr): Expr => {
    if (left.tag === 'rows') return placeIn(b, left, times(down, literal(tile.rows)), literal(row), k)
    const tilesIn = literal(left.width / tile.rows)
    const first = times(op('remainder', 'i32', down, tilesIn), literal(tile.rows))
    return placeIn(b, left, op('quotient', 'i32', down, tilesIn), plus(first, literal(row)), k)
  }
  const step = (across: Expr, down: Expr, lane: Expr, k: Expr): readonly Statement[] => {
    const named = (name: string, at: Expr): Statement => ({ tag: 'let', name, value: read(b.scratch, 'f32', at) })
    const rights = Array.from({ length: vectors }, (_, vector) =>
      named(`right${String(vector)}`, placeIn(b, right, across, plus(lane, literal(4 * vector)), k)),
    )
    const lefts = Array.from({ length: tile.rows }, (_, row) => named(`left${String(row)}`, leftPlace(down, row, k)))
    const added = sums.map(({ row, vector, name }): Statement => {
      const product = op('mul', 'f32', variable(`left${String(row)}`, 'f32'), variable(`right${String(vector)}`, 'f32'))
      return { tag: 'assign', name, value: op('add', 'f32', variable(name, 'f32'), product) }
    })
    return [...rights, ...lefts, ...added]
  }
  return b.loop(count(columns, tile.columns), (across) => [
    b.loop(count(rows, tile.rows), (down) => [
      b.loop(literal(4), (lane) => {
        if (lane.tag === 'index') inLanes.push(lane.name)
        return oneTile(across, down, lane)
      }),
    ]),
  ])
}
