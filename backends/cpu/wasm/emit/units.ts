import { copy, createExprs, type Expr, type Loop, inLoops, renamedExpr, type Statement } from '../../../../compiler/index.js'
import { sameNames } from './building.js'

/**
 * How a kernel is cut into units that may run in any order, and side by side. Each part multiplies: some loops of the space, their
 * points counted together, in pieces of a side. It depends on sizes alone, so results do not depend on how many threads there are.
 */
export type Units = readonly { readonly loops: readonly string[]; readonly side: number }[]

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
  // What has no space is one unit.
  if (outer === undefined) return { units: [], body }
  if (next === undefined && inLanes) {
    const from = times(first, literal(piece))
    const size = op('min', 'i32', minus(times(end, literal(piece)), from), minus(same(outer.extent), from))
    const places = new Map([[outer.index, plus(from, index(outer.index))]])
    return {
      units: [{ loops: [outer.index], side: piece }],
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
    units: cut.map((loop) => ({ loops: [loop.index], side: 1 })),
    body: [{ tag: 'for', loop: { index: unit, extent: minus(end, first) }, body: placed(places, inLoops(space.slice(cut.length), body)) }],
  }
}
