import type { Expr, Statement } from '../../../../compiler/index.js'
import type { Builder } from './building.js'

/** Sums, left and right factors of a block lie in the scratch memory one after the other, small enough for the second cache. */
export const blockRows = 144
export const blockColumns = 120
export const blockDepth = 256

/** Panels do not begin at multiples of a page, which would all lie in the same few lines of the first cache. */
const panelGap = 16

const panelSize = (width: number): number => width * blockDepth + panelGap

/** A panel of the left factor holds whole tiles of three and of four rows. */
export const leftWidth = 12

const leastWidth = 8

const leftAt = blockRows * blockColumns
const rightAt = leftAt + (blockRows / leftWidth) * panelSize(leftWidth)

/** The bytes of scratch memory that a product of matrices needs. */
export const scratchBytes = 4 * (rightAt + (blockColumns / leastWidth) * panelSize(leastWidth))

/** How a block of a factor lies: each row by itself, or so many rows or columns side by side at each step of the depth. */
export type Layout =
  | { readonly tag: 'rows'; readonly from: number; readonly side: number }
  | { readonly tag: 'panels'; readonly from: number; readonly width: number }

export const leftPanels: Layout = { tag: 'panels', from: leftAt, width: leftWidth }
export const leftRows = (side: number): Layout => ({ tag: 'rows', from: leftAt, side })
export const rightPanels = (width: number): Layout => ({ tag: 'panels', from: rightAt, width })

/** Where the element of a row or column at a step of the depth lies. */
export const placeIn = ({ exprs }: Builder, layout: Layout, panel: Expr, lane: Expr, k: Expr): Expr => {
  const { plus, times, literal } = exprs
  return layout.tag === 'rows'
    ? plus(plus(literal(layout.from), times(plus(panel, lane), literal(blockDepth))), k)
    : plus(plus(plus(literal(layout.from), times(panel, literal(panelSize(layout.width)))), times(k, literal(layout.width))), lane)
}

interface Block {
  readonly layout: Layout
  readonly size: Expr
  readonly depth: Expr
  /** Whether the factor is stored along the depth, and not along its rows or columns. */
  readonly alongDepth: boolean
  readonly valueAt: (place: Expr, k: Expr) => Expr
}

/** Copy a block of a factor. What lies beyond its edge is a copy of what lies there: no sum of it is used. */
export const pack = (b: Builder, { layout, size, depth, alongDepth, valueAt }: Block, inLanes: string[]): readonly Statement[] => {
  const { op, plus, minus, times, literal } = b.exprs
  const width = literal(layout.tag === 'rows' ? layout.side : layout.width)
  const panels = op('quotient', 'i32', plus(size, minus(width, literal(1))), width)
  const inside = (place: Expr): Expr => op('min', 'i32', place, minus(size, literal(1)))
  const put = (panel: Expr, lane: Expr, k: Expr, place: Expr): Statement => ({
    tag: 'store',
    buffer: b.scratch,
    at: placeIn(b, layout, panel, lane, k),
    value: valueAt(place, k),
  })
  const laneLoop = (extent: Expr, body: (index: Expr) => readonly Statement[]): Statement =>
    b.loop(extent, (index) => {
      if (index.tag === 'index') inLanes.push(index.name)
      return body(index)
    })
  if (layout.tag === 'rows')
    return [b.loop(times(panels, width), (row) => [laneLoop(depth, (k) => [put(row, literal(0), k, inside(row))])])]
  if (alongDepth)
    return [
      b.loop(panels, (panel) => [
        laneLoop(depth, (k) =>
          Array.from({ length: layout.width }, (_, i) => put(panel, literal(i), k, inside(plus(times(panel, width), literal(i))))),
        ),
      ]),
    ]
  const whole = op('quotient', 'i32', size, width)
  const step = (panel: Expr, k: Expr, placed: (place: Expr) => Expr): Statement =>
    laneLoop(literal(4), (lane) =>
      Array.from({ length: layout.width / 4 }, (_, i) => {
        const at = plus(lane, literal(4 * i))
        return put(panel, at, k, placed(plus(times(panel, width), at)))
      }),
    )
  const isRagged = op('less', 'bool', whole, panels)
  return [
    b.loop(depth, (k) => [
      b.loop(whole, (panel) => [step(panel, k, (place) => place)]),
      { tag: 'if', condition: isRagged, body: [step(whole, k, inside)] },
    ]),
  ]
}
