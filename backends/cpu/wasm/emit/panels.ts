import type { Expr, Statement } from '../../../../compiler/index.js'
import type { Builder } from './building.js'

/** The sums that registers hold at once: rows, and vectors of four columns. */
export const tileRows = 4
const tileVectors = 2
export const tileColumns = 4 * tileVectors

/** Sums, left and right factors of a block lie in the scratch memory one after the other, small enough for the second cache. */
export const blockRows = 96
export const blockColumns = 128
export const blockDepth = 256

export const leftAt = blockRows * blockColumns
export const rightAt = leftAt + blockRows * blockDepth

/** The bytes of scratch memory that a kernel of this form needs. */
export const scratchBytes = 4 * (rightAt + blockColumns * blockDepth)

/** Copy a block of a factor, `width` of its rows or columns side by side for each step of the depth; beyond its edge are zeros. */
export const pack = (
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
export const multiply = (b: Builder, rows: Expr, columns: Expr, depth: Expr, isFirst: Expr, inLanes: string[]): Statement => {
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
