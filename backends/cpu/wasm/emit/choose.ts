import {
  type Expr,
  type FoldOp,
  type Folds,
  type For,
  type Kernel,
  type Loop,
  type LoopOp,
  partsOf,
  type Statement,
} from '../../../../compiler/index.js'
import { mathFunctions } from '../math.js'
import { foldsOf, masksOnly, regionOf, stridesOf } from './folds.js'
import { isSame, isUnit, type Strides } from './strides.js'

/** Which loops of a kernel run in lanes of four. */
export interface Lanes {
  /** The loops of the space, the one that runs in lanes innermost. */
  readonly space: readonly Loop[]
  /** By the index of a loop that runs in lanes: what it folds. */
  readonly loops: ReadonlyMap<string, Folds>
  /** By the index of the loop before which lanes begin empty, and after which they are folded into one. */
  readonly regions: ReadonlyMap<string, Folds>
}

export const width = 4

/** What four turns cost, roughly: in units of one instruction that does them all at once. */
const costs = { together: 1, apart: 4, gathered: 5, math: 8 }

/** A statement in so many loops is done so much more often. */
const perLoop = 16

const isMath = (op: LoopOp): boolean => op in mathFunctions

/** How many loops each index is inside of, its own among them. */
type Depths = ReadonlyMap<string, number>

export const depthsIn = (space: readonly Loop[], body: readonly Statement[]): Depths => {
  const depths = new Map(space.map(({ index }, i) => [index, i + 1] as const))
  const visit = (statements: readonly Statement[], depth: number): void => {
    for (const s of statements)
      if (s.tag === 'for') {
        depths.set(s.loop.index, depth + 1)
        visit(s.body, depth + 1)
      } else if (s.tag === 'if') visit(s.body, depth)
  }
  visit(body, space.length)
  return depths
}

/** What four turns of a statement inside so many loops cost: one at a time, or in lanes along a loop. What a loop does not change is done outside it. */
const costOf = (statement: Statement, inside: number, depths: Depths, strides?: Strides): number => {
  const done = new Map<Expr, number>()
  let cost = 0
  const inLanes = (at: Expr): number => {
    if (strides === undefined) return costs.apart
    const stride = strides(at)
    return isSame(stride) || isUnit(stride) ? costs.together : costs.gathered
  }
  const price = (e: Expr): number => {
    if (e.tag === 'read') return inLanes(e.at)
    if (e.tag !== 'op' || (e.dtype === 'i32' && strides?.(e) !== undefined)) return 0
    return (strides === undefined ? costs.apart : costs.together) * (isMath(e.op) ? costs.math : 1)
  }
  /** How deep an expression must be computed, where its statement is `here`. */
  const depthOf = (e: Expr, here: number): number => {
    const known = done.get(e)
    if (known !== undefined) return known
    const own = e.tag === 'index' ? (depths.get(e.name) ?? 0) : e.tag === 'variable' ? here : 0
    const depth = Math.max(own, ...partsOf(e).map((part) => depthOf(part, here)))
    done.set(e, depth)
    cost += perLoop ** depth * price(e)
    return depth
  }
  const visit = (s: Statement, here: number): void => {
    switch (s.tag) {
      case 'for':
        for (const inner of s.body) visit(inner, depths.get(s.loop.index) ?? here)
        return
      case 'if':
        depthOf(s.condition, here)
        for (const inner of s.body) visit(inner, here)
        return
      case 'let':
      case 'var':
      case 'assign':
        depthOf(s.value, here)
        return
      case 'store':
        depthOf(s.at, here)
        depthOf(s.value, here)
        cost += perLoop ** here * inLanes(s.at)
        return
      case 'barrier':
      case 'join':
    }
  }
  visit(statement, inside)
  return cost
}

const isLong = ({ extent }: Loop): boolean => extent.tag !== 'literal' || extent.value >= width

/** The paths to all loops within statements, each from the outermost loop on. */
const pathsIn = (statements: readonly Statement[], outer: readonly For[] = []): readonly (readonly [...For[], For])[] =>
  statements.flatMap((s) => {
    if (s.tag === 'if') return pathsIn(s.body, outer)
    if (s.tag !== 'for') return []
    const path = [...outer, s] as const
    return [path, ...pathsIn(s.body, path)]
  })

interface Choice {
  readonly cost: number
  readonly lanes: Lanes
}

const cheapest = <C extends { readonly cost: number }>(choices: readonly C[]): C | undefined =>
  choices.reduce<C | undefined>((best, choice) => (best === undefined || choice.cost < best.cost ? choice : best), undefined)

/** All points of the space that lie side by side along a loop at once. */
const spaceChoices = (space: readonly Loop[], body: readonly Statement[]): readonly Choice[] =>
  space.filter(isLong).flatMap((loop): readonly Choice[] => {
    const strides = stridesOf(loop.index, body)
    if (!masksOnly(body, strides)) return []
    const ordered = [...space.filter((other) => other !== loop), loop]
    const depths = depthsIn(ordered, body)
    const cost = body.reduce((sum, s) => sum + costOf(s, space.length, depths, strides), 0)
    return [{ cost, lanes: { space: ordered, loops: new Map([[loop.index, new Map()]]), regions: new Map() } }]
  })

export type LoopLanes = Pick<Lanes, 'loops' | 'regions'>

const scalar: LoopLanes = { loops: new Map(), regions: new Map() }

/** The turns of a loop of the body, or of one inside it, four at a time. */
const loopChoices = (statement: Statement, inside: number, depths: Depths): readonly (LoopLanes & { readonly cost: number })[] =>
  pathsIn([statement]).flatMap((path) => {
    const loop = path.at(-1)!
    const folds = isLong(loop.loop) ? foldsOf(loop) : undefined
    if (folds === undefined) return []
    const regions = new Map<string, Map<string, FoldOp>>()
    for (const [name, op] of folds) {
      const { index } = regionOf(path, name).loop
      regions.set(index, (regions.get(index) ?? new Map<string, FoldOp>()).set(name, op))
    }
    const cost = costOf(statement, inside, depths, stridesOf(loop.loop.index, loop.body))
    return [{ cost, loops: new Map([[loop.loop.index, folds]]), regions }]
  })

/** The cheapest way to run a statement that is inside so many loops, by itself. */
export const lanesIn = (statement: Statement, inside: number, depths: Depths): LoopLanes & { readonly cost: number } => {
  const alone = { ...scalar, cost: costOf(statement, inside, depths) }
  return cheapest([alone, ...loopChoices(statement, inside, depths)]) ?? alone
}

export const allLanes = (all: readonly LoopLanes[]): LoopLanes => ({
  loops: new Map(all.flatMap(({ loops }) => [...loops])),
  regions: new Map(all.flatMap(({ regions }) => [...regions])),
})

/** Every statement of the body by itself. */
const bodyChoice = (space: readonly Loop[], body: readonly Statement[]): Choice => {
  const depths = depthsIn(space, body)
  const best = body.map((s) => lanesIn(s, space.length, depths))
  return { cost: best.reduce((sum, { cost }) => sum + cost, 0), lanes: { space, ...allLanes(best) } }
}

/** The cheapest way to run a kernel, whose body is in full; where two cost the same, the one that adds in the order of the loops. */
export const lanesOf = ({ space }: Pick<Kernel, 'space'>, body: readonly Statement[]): Lanes => {
  const others = bodyChoice(space, body)
  return (cheapest([...spaceChoices(space, body), others]) ?? others).lanes
}
