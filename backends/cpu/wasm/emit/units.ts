import {
  copy,
  createExprs,
  type Expr,
  type Exprs,
  inLoops,
  type Loop,
  renamedExpr,
  sameNames,
  type Statement,
} from '../../../../compiler/index.js'

/** Some loops of the space, their points counted together, in pieces as even as their step allows. */
export interface Part {
  readonly loops: readonly string[]
  /** Of how many points a piece is at most, and of which number it is a multiple. */
  readonly most: number
  readonly step: number
  /** How many pieces there should be, counted together with the parts before. */
  readonly least?: number
}

/**
 * How a kernel is cut into units that may run in any order, and side by side; each part multiplies. It depends on sizes alone, so
 * results do not depend on how many threads there are.
 */
export interface Units {
  readonly parts: readonly Part[]
  /** How many operations on floats a core does in a nanosecond, roughly. */
  readonly rate: number
  /** What the kernel needs besides, given how long its loops are: nanoseconds of one thread, and bytes of each thread's scratch memory. */
  readonly besides?: (extentOf: (loop: string) => number) => { readonly time: number; readonly scratch: number }
}

/** Of what is computed element by element, and of what is multiplied in tiles. */
export const rates = { elements: 4, tiles: 32 } as const

/** What has no space is one unit. */
const whole: Units = { parts: [], rate: rates.elements }

/** Of how many points the pieces of a part are, where the parts before make so many. */
export const sideOf = ({ most, step, least = 0 }: Part, points: number, before: number): number => {
  const wanted = Math.min(Math.ceil(points / (2 * step)), Math.ceil(least / Math.max(1, before)))
  const count = Math.max(1, Math.ceil(points / most), wanted)
  return Math.max(1, Math.ceil(points / (count * step))) * step
}

export const blocksExpr = ({ op, plus, minus, literal }: Exprs, points: Expr, side: Expr): Expr =>
  op('quotient', 'i32', plus(points, minus(side, literal(1))), side)

/** `sideOf`, as a kernel computes it. */
export const sideExpr = (exprs: Exprs, { most, step, least }: Part, points: Expr, before: Expr): Expr => {
  const { op, times, literal } = exprs
  const up = (x: Expr, y: Expr): Expr => blocksExpr(exprs, x, y)
  const max = (x: Expr, y: Expr): Expr => op('max', 'i32', x, y)
  const pieces = max(literal(1), up(points, literal(most)))
  const count =
    least === undefined ? pieces : max(pieces, op('min', 'i32', up(points, literal(2 * step)), up(literal(least), max(literal(1), before))))
  return times(max(literal(1), up(points, times(count, literal(step)))), literal(step))
}

/** The units that a call is to do: the first, and the one after the last. They are words after the kernel's own parameters. */
export const firstUnit = (parameters: number): Expr => ({ tag: 'parameter', dtype: 'i32', slot: parameters })
export const endUnit = (parameters: number): Expr => ({ tag: 'parameter', dtype: 'i32', slot: parameters + 1 })

/** Points of a loop that are a unit where it is the only one: a multiple of all that lanes and vectors take at once. */
const piece = 4096

export interface InUnits {
  readonly units: Units
  readonly body: readonly Statement[]
}

interface Nested {
  readonly space: readonly Loop[]
  readonly body: readonly Statement[]
  /** Whether the last loop of the space runs in lanes. */
  readonly inLanes: boolean
  /** How many parameters the kernel has. */
  readonly parameters: number
  /** What the loop over units is called. */
  readonly unit: string
}

/** A nest of loops, of which the outermost ones, two at most, are cut point by point, and one in lanes that has none around it in pieces. */
export const inUnits = ({ space, body, inLanes, parameters, unit }: Nested): InUnits => {
  const exprs = createExprs()
  const { op, plus, minus, times, literal, index } = exprs
  const same = renamedExpr(exprs, sameNames(exprs))
  const [first, end] = [same(firstUnit(parameters)), same(endUnit(parameters))]
  const placed = (places: ReadonlyMap<string, Expr>, statements: readonly Statement[]): readonly Statement[] =>
    copy(exprs, { ...sameNames(exprs), index: (name) => places.get(name) ?? index(name) })(statements)
  const [outer, next] = space
  if (outer === undefined) return { units: whole, body }
  if (next === undefined && inLanes) {
    const from = times(first, literal(piece))
    const size = op('min', 'i32', minus(times(end, literal(piece)), from), minus(same(outer.extent), from))
    const places = new Map([[outer.index, plus(from, index(outer.index))]])
    return {
      units: { parts: [{ loops: [outer.index], most: piece, step: piece }], rate: rates.elements },
      body: [{ tag: 'for', loop: { index: outer.index, extent: size }, body: placed(places, body) }],
    }
  }
  const at = plus(first, index(unit))
  const pair = next !== undefined && !(inLanes && space.length === 2) ? next : undefined
  const cut = pair === undefined ? [outer] : [outer, pair]
  const places =
    pair === undefined
      ? new Map([[outer.index, at]])
      : new Map([
          [outer.index, op('quotient', 'i32', at, same(pair.extent))],
          [pair.index, op('remainder', 'i32', at, same(pair.extent))],
        ])
  return {
    units: { parts: cut.map((loop) => ({ loops: [loop.index], most: 1, step: 1 })), rate: rates.elements },
    body: [{ tag: 'for', loop: { index: unit, extent: minus(end, first) }, body: placed(places, inLoops(space.slice(cut.length), body)) }],
  }
}
