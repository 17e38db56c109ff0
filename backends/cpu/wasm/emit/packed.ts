import { copy, createExprs, type Expr, type Exprs, type Loop, renamedExpr, type Statement } from '../../../../compiler/index.js'
import type { Product } from './product.js'
import { endUnit, firstUnit, type Units } from './units.js'

/**
 * A product of matrices in blocks. A block of the left factor and one of the right are copied to where a tile of sums finds what it
 * needs side by side, whatever the layout and whatever each factor has fused into it; a tile of sums stays in registers along the
 * block's whole depth; and what is done with the sums is done once they are complete, row by row. Each sum adds in the order of its loop.
 */

/** The sums that registers hold at once: rows, and vectors of four columns. */
const tileRows = 4
const tileVectors = 2
const tileColumns = 4 * tileVectors

/** Sums, left and right factors of a block lie in the scratch memory one after the other, small enough for the second cache. */
const blockRows = 96
const blockColumns = 128
const blockDepth = 256

const leftAt = blockRows * blockColumns
const rightAt = leftAt + blockRows * blockDepth

/** The bytes of scratch memory that a kernel of this form needs. */
export const scratchBytes = 4 * (rightAt + blockColumns * blockDepth)

interface Builder {
  readonly exprs: Exprs
  /** The number of the buffer that the scratch memory is. */
  readonly scratch: number
  readonly loop: (extent: Expr, body: (index: Expr) => readonly Statement[]) => Statement
}

const builderFor = (scratch: number, firstLoop: number): Builder => {
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
const countOf = ({ exprs }: Builder, loops: readonly Loop[]): Expr =>
  loops.reduce<Expr>((count, { extent }) => exprs.times(count, renamedExpr(exprs, sameNames(exprs))(extent)), exprs.literal(1))

const sameNames = (exprs: Exprs) => ({ index: exprs.index, loop: (name: string) => name, variable: (name: string) => name })

/** Where along each of some loops the point of a number lies. */
const placesOf = (b: Builder, loops: readonly Loop[], point: Expr): ReadonlyMap<string, Expr> => {
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
const pieces = (b: Builder, count: Expr, side: number, name: string, body: (from: Expr, size: Expr) => readonly Statement[]): Statement => {
  const { op, plus, minus, times, literal, variable } = b.exprs
  const pieceCount = op('max', 'i32', op('quotient', 'i32', plus(count, literal(side - 1)), literal(side)), literal(1))
  return b.loop(pieceCount, (piece) => {
    const from = times(piece, literal(side))
    return [{ tag: 'let', name, value: op('min', 'i32', literal(side), minus(count, from)) }, ...body(from, variable(name, 'i32'))]
  })
}

/** Copy a block of a factor, `width` of its rows or columns side by side for each step of the depth; beyond its edge are zeros. */
const pack = (
  b: Builder,
  to: number,
  width: number,
  size: Expr,
  depth: Expr,
  valueAt: (place: Expr, k: Expr) => Expr,
): readonly Statement[] => {
  const { op, plus, minus, times, literal } = b.exprs
  const put = (panel: Expr, value: (place: Expr, k: Expr, lane: Expr) => Expr): Statement =>
    b.loop(depth, (k) => [
      b.loop(literal(width), (lane) => [
        {
          tag: 'store',
          buffer: b.scratch,
          at: plus(plus(literal(to), times(plus(times(panel, literal(blockDepth)), k), literal(width))), lane),
          value: value(plus(times(panel, literal(width)), lane), k, lane),
        },
      ]),
    ])
  const whole = op('quotient', 'i32', size, literal(width))
  const left = op('remainder', 'i32', size, literal(width))
  return [
    b.loop(whole, (panel) => [put(panel, valueAt)]),
    {
      tag: 'if',
      condition: op('less', 'bool', literal(0), left),
      body: [
        put(whole, (place, k, lane) =>
          op(
            'select',
            'f32',
            op('less', 'bool', lane, left),
            valueAt(op('min', 'i32', place, minus(size, literal(1))), k),
            literal(0, 'f32'),
          ),
        ),
      ],
    },
  ]
}

/** Add what a block's depth adds to every tile of its sums. */
const multiply = (b: Builder, rows: Expr, columns: Expr, depth: Expr, isFirst: Expr, inLanes: string[]): Statement => {
  const { op, plus, times, literal, read, variable } = b.exprs
  const tiles = (size: Expr, side: number): Expr => op('quotient', 'i32', plus(size, literal(side - 1)), literal(side))
  const places = Array.from({ length: tileRows * tileVectors }, (_, i) => ({
    row: Math.floor(i / tileVectors),
    vector: i % tileVectors,
    name: `sum${String(i)}`,
  }))
  return b.loop(tiles(rows, tileRows), (down) => [
    b.loop(tiles(columns, tileColumns), (across) => [
      b.loop(literal(4), (lane) => {
        if (lane.tag === 'index') inLanes.push(lane.name)
        const sumAt = (row: number, vector: number): Expr =>
          plus(
            plus(times(plus(times(down, literal(tileRows)), literal(row)), literal(blockColumns)), times(across, literal(tileColumns))),
            plus(lane, literal(4 * vector)),
          )
        return [
          ...places.map(({ row, vector, name }): Statement => ({
            tag: 'var',
            name,
            value: op('select', 'f32', isFirst, literal(0, 'f32'), read(b.scratch, 'f32', sumAt(row, vector))),
          })),
          b.loop(depth, (k) => {
            const step = (panel: Expr, from: number, side: number): Expr =>
              plus(literal(from), times(plus(times(panel, literal(blockDepth)), k), literal(side)))
            const named = (name: string, at: Expr): Statement => ({ tag: 'let', name, value: read(b.scratch, 'f32', at) })
            const lefts = Array.from({ length: tileRows }, (_, row) =>
              named(`left${String(row)}`, plus(step(down, leftAt, tileRows), literal(row))),
            )
            const rights = Array.from({ length: tileVectors }, (_, vector) =>
              named(`right${String(vector)}`, plus(step(across, rightAt, tileColumns), plus(lane, literal(4 * vector)))),
            )
            const sums = places.map(({ row, vector, name }): Statement => {
              const product = op('mul', 'f32', variable(`left${String(row)}`, 'f32'), variable(`right${String(vector)}`, 'f32'))
              return { tag: 'assign', name, value: op('add', 'f32', variable(name, 'f32'), product) }
            })
            return [...rights, ...lefts, ...sums]
          }),
          ...places.map(({ row, vector, name }): Statement => ({
            tag: 'store',
            buffer: b.scratch,
            at: sumAt(row, vector),
            value: variable(name, 'f32'),
          })),
        ]
      }),
    ]),
  ])
}

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

/** A product in blocks, whose scratch memory is the buffer of a number; its loops are numbered from one on. */
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
