import { sizes } from '../dsl/index.js'
import { type Names, renamedExpr, copy } from './copies.js'
import { type Contraction, contractionIn, liesAlong } from './contraction.js'
import { type Cut, indicesIn } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import { type Expr, type Kernel, type Loop, type Statement, writtenBy } from './loop-ir.js'
import { schedule } from './schedule.js'
import type { Tiled } from './tile.js'
import { areWhole, commandInTiles, either, every, extentOf, nextLoop, placed, places, spaceInTiles } from './tiled-space.js'

/** How a workgroup shares what it reads. */
export interface Shares {
  /** Invocations along each side of a workgroup. */
  readonly lanes: number
  /** Steps of the innermost sum whose factors it has in memory at a time. */
  readonly depth: number
}

/** What a kernel that shares is built with. */
interface Sharing extends Shares {
  readonly exprs: Exprs
  readonly cuts: readonly Cut[]
  /** The cuts of what a workgroup makes. */
  readonly groupCuts: readonly Cut[]
  /** The number of the invocation along each cut, and of all. */
  readonly lane: readonly [Expr, Expr]
  readonly number: Expr
  readonly contraction: Contraction
  readonly kernel: Kernel
}

const last = (loops: readonly Loop[]): Loop => loops[loops.length - 1]!

/** The memory of a factor: the number of its buffer, after the kernel's own. */
const memoryOf = ({ kernel }: Sharing, factor: number): number => kernel.buffers.length + factor

/** The cut of the loop that a factor depends on. */
const cutOf = ({ groupCuts, contraction }: Sharing, factor: number): number =>
  groupCuts.findIndex(({ loop }) => indicesIn(contraction.factors[factor]!).has(loop.index))

/** Statements by which an invocation reads its part of a factor into memory: [step, row]. Beyond an edge, 0, or what lies nearest. */
const fill = (s: Sharing, factor: number, isWhole: boolean): readonly Statement[] => {
  const { exprs, depth, lanes, groupCuts, number, contraction } = s
  const { literal, plus, times, op } = exprs
  const e = contraction.factors[factor]!
  const [cut, step] = [groupCuts[cutOf(s, factor)]!, last(contraction.loops)]
  const each = (depth * cut.side) / lanes ** 2
  const isAlongSteps = liesAlong(e, step.index)
  const along = isAlongSteps ? depth : cut.side
  const [outer, inner] = [op('quotient', 'i32', number, literal(along / each)), op('remainder', 'i32', number, literal(along / each))]
  return Array.from({ length: each }, (_, i): Statement => {
    const near = plus(times(inner, literal(each)), literal(i))
    const [k, row] = isAlongSteps ? [near, outer] : [outer, near]
    const [stepAt, rowAt] = [
      plus(times(exprs.index(step.index), literal(depth)), k),
      plus(times(exprs.index(cut.loop.index), literal(cut.side)), row),
    ]
    const within = (at: Expr, loop: Loop): Expr => (isWhole ? at : op('min', 'i32', at, exprs.minus(extentOf(exprs, loop), literal(1))))
    const value = renamedExpr(exprs, {
      index: (name) => (name === step.index ? within(stepAt, step) : name === cut.loop.index ? within(rowAt, cut.loop) : exprs.index(name)),
      loop: (name) => name,
      variable: (name) => name,
    })(e)
    return {
      tag: 'store',
      buffer: memoryOf(s, factor),
      at: plus(times(k, literal(cut.side)), row),
      value: isWhole ? value : op('select', e.dtype, op('less', 'bool', stepAt, extentOf(exprs, step)), value, exprs.literal(0, e.dtype)),
    }
  })
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, n) => all * n, 1)

/** The outputs of an invocation: where each is in its tile, and its number among them. */
const outputsOf = ({ cuts }: Sharing): readonly (readonly number[])[] => places(cuts.map(({ side }) => side))

/** What a variable is called: at an edge it is another one, or the two would share what they compute. */
const nameIn =
  (isWhole: boolean) =>
  (name: string, n: number): string =>
    `${name}${String(n)}${isWhole ? '' : 'e'}`

/** One step of all sums of an invocation, from memory. */
const multiply = (s: Sharing, k: Loop, isWhole: boolean): readonly Statement[] => {
  const { exprs, cuts, groupCuts, lane, contraction } = s
  const named = nameIn(isWhole)
  const names = ['left', 'right'] as const
  const reads = contraction.factors.flatMap(({ dtype }, factor) => {
    const at = cutOf(s, factor)
    const [side, groupSide] = [cuts[at]!.side, groupCuts[at]!.side]
    const first = exprs.plus(exprs.times(exprs.index(k.index), exprs.literal(groupSide)), exprs.times(lane[at]!, exprs.literal(side)))
    return Array.from({ length: side }, (_, i): Statement => ({
      tag: 'let',
      name: named(names[factor]!, i),
      value: exprs.read(memoryOf(s, factor), dtype, exprs.plus(first, exprs.literal(i))),
    }))
  })
  const sums = outputsOf(s).map((offsets, n): Statement => {
    const { dtype } = contraction.factors[0]
    const sum = exprs.variable(named(contraction.sum, n), dtype)
    const [x, y] = names.map((name, factor) => exprs.variable(named(name, offsets[cutOf(s, factor)]!), dtype)) as [Expr, Expr]
    return { tag: 'assign', name: sum.name, value: exprs.op('add', dtype, sum, exprs.op('mul', dtype, x, y)) }
  })
  return [...reads, ...sums]
}

const barrier: Statement = { tag: 'barrier' }

/** The sum, so many steps at a time. */
const summed = (s: Sharing, isWhole: boolean, next: number): Statement => {
  const { exprs, depth, contraction } = s
  const step = last(contraction.loops)
  const k: Loop = { index: `i${String(next)}`, extent: exprs.literal(depth) }
  const turns: Loop = {
    index: step.index,
    extent:
      step.extent.tag === 'literal'
        ? exprs.literal(Math.ceil(step.extent.value / depth))
        : exprs.op('quotient', 'i32', exprs.plus(extentOf(exprs, step), exprs.literal(depth - 1)), exprs.literal(depth)),
  }
  const inner: Statement = {
    tag: 'for',
    loop: turns,
    body: [...fill(s, 0, isWhole), ...fill(s, 1, isWhole), barrier, { tag: 'for', loop: k, body: multiply(s, k, isWhole) }, barrier],
  }
  return contraction.loops.slice(0, -1).reduceRight<Statement>((body, loop) => ({ tag: 'for', loop, body: [body] }), inner)
}

/** Statements for each output of an invocation. */
const forEach = (
  s: Sharing,
  isWhole: boolean,
  statements: readonly Statement[],
  around: (at: Names['index'], body: readonly Statement[]) => readonly Statement[],
) => {
  const { exprs, cuts, groupCuts, lane } = s
  return outputsOf(s).flatMap((offsets, n) => {
    const own = offsets.map((offset, i) => exprs.plus(exprs.times(lane[i]!, exprs.literal(cuts[i]!.side)), exprs.literal(offset)))
    const index = placed(exprs, groupCuts, own)
    return around(index, copy(exprs, { index, loop: (name) => name, variable: (name) => nameIn(isWhole)(name, n) })(statements))
  })
}

const bodyOf = (s: Sharing, isWhole: boolean, next: number): readonly Statement[] => {
  const { exprs, cuts, contraction } = s
  const isThere = (at: Names['index']): Expr =>
    every(
      exprs,
      cuts.map(({ loop }) => exprs.op('less', 'bool', at(loop.index), extentOf(exprs, loop))),
    )
  return [
    ...forEach(s, isWhole, contraction.before, (_, body) => body),
    summed(s, isWhole, next),
    ...forEach(s, isWhole, contraction.after, (at, body) => (isWhole ? body : [{ tag: 'if', condition: isThere(at), body }])),
  ]
}

/** Whether the steps of the sum fill the memory each time, where it is not known. */
const isFull = ({ exprs, depth, contraction }: Sharing): readonly Expr[] => {
  const step = last(contraction.loops)
  if (step.extent.tag === 'literal' && step.extent.value % depth === 0) return []
  const rest = exprs.op('remainder', 'i32', extentOf(exprs, step), exprs.literal(depth))
  return [exprs.op('equal', 'bool', rest, exprs.literal(0))]
}

/**
 * A contraction whose workgroups read each number once: their invocations read a block of both factors into memory that they share, wait for each
 * other, and each makes its tile from there. Each sum keeps its order, and steps beyond its end add 0 to what is never −0, so the bits are
 * those of the kernel without. Undefined where the kernel is not of that kind.
 */
export const sharedTiles = (
  kernel: Kernel,
  body: readonly Statement[],
  cuts: readonly Cut[],
  { lanes, depth }: Shares,
): Tiled | undefined => {
  const contraction = contractionIn(kernel, body)
  if (contraction === undefined || cuts.length !== 2 || contraction.loops.length === 0) return undefined
  const exprs = createExprs()
  const next = nextLoop(kernel.space, body)
  const lane = [0, 1].map((i): Loop => ({ index: `i${String(next + i)}`, extent: exprs.literal(lanes) }))
  const [outer, inner] = lane.map(({ index }) => exprs.index(index)) as [Expr, Expr]
  const groupCuts = cuts.map(({ loop, side }): Cut => {
    const whole = side * lanes
    return { loop, side: whole, ragged: loop.extent.tag !== 'literal' || loop.extent.value % whole !== 0 }
  })
  const eachOf = (side: number): number => (depth * side) / lanes ** 2
  const fits = groupCuts.every(({ side }) => [eachOf(side), depth / eachOf(side), side / eachOf(side)].every(Number.isInteger))
  if (!fits) return undefined
  const s: Sharing = {
    exprs, lanes, depth, cuts, groupCuts, contraction, kernel,
    lane: [outer, inner],
    number: exprs.plus(exprs.times(outer, exprs.literal(lanes)), inner),
  } // prettier-ignore
  const tiles = spaceInTiles(kernel, groupCuts, exprs)
  const conditions = [...areWhole(exprs, groupCuts), ...isFull(s)]
  const whole = bodyOf(s, true, next + 2)
  const all = conditions.length === 0 ? whole : either(exprs, every(exprs, conditions), whole, bodyOf(s, false, next + 3))
  const memories = new Set([memoryOf(s, 0), memoryOf(s, 1)])
  return {
    kernel: {
      ...kernel,
      ...tiles,
      space: [...tiles.space, ...lane],
      workgroup: {
        loops: lane.length,
        shared: contraction.factors.map(({ dtype }, i) => ({ dtype, elements: product([depth, groupCuts[cutOf(s, i)]!.side]) })),
      },
      body: schedule(all, new Set([...writtenBy(kernel), ...memories])),
    },
    command: (command) => {
      const counted = commandInTiles(command, kernel, groupCuts)
      return { ...counted, extents: [...counted.extents, ...lane.map(() => sizes.literal(lanes))] }
    },
  }
}
