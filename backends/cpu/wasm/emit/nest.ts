import { type Expr, inFull, type Kernel, type Loop, inLoops, schedule, type Statement, writtenBy } from '../../../../compiler/index.js'
import { allLanes, depthsIn, lanesIn, lanesOf, type LoopLanes } from './choose.js'
import { merged, type Uses } from './merged.js'
import { packed } from './packed.js'
import { productOf } from './product.js'
import { type Ranking, rankingOf } from './ranking.js'
import { atSeams } from './seams.js'
import { sortBytes, sorted, sortTime } from './sorted.js'
import { toldApart } from './told-apart.js'
import { firstUnit, inUnits, type Units } from './units.js'

/** A kernel for a machine that runs its loops one after the other. */
export interface Nest {
  /** What an inner loop does not change is computed outside it. */
  readonly body: readonly Statement[]
  readonly lanes: LoopLanes
  /** How it is cut. */
  readonly units: Units
}

/** The loops of the space outermost, around the body as it is. */
const plain = (kernel: Kernel, full: readonly Statement[]): Nest => {
  const apart = toldApart(full, firstFree(kernel.space, full))
  const { space: whole, body } = atSeams({ space: kernel.space, body: apart }, firstFree(kernel.space, apart))
  const { space, ...lanes } = lanesOf({ space: whole }, body)
  const unit = `i${String(firstFree(kernel.space, body))}`
  const inLanes = lanes.loops.has(space.at(-1)?.index ?? '')
  return { lanes, ...inUnits({ space, body, inLanes, parameters: kernel.parameters.length, unit }) }
}

const and = (x: Expr, y: Expr): Expr => ({ tag: 'op', dtype: 'bool', op: 'and', operands: [x, y] })

const not = (e: Expr): Expr => ({ tag: 'op', dtype: 'bool', op: 'not', operands: [e] })

/** The number after those of all loops. */
const firstFree = (space: readonly Loop[], body: readonly Statement[]): number =>
  Math.max(0, ...[...depthsIn(space, body).keys()].map((index) => Number(index.slice(1)) + 1))

/** As a product of matrices in blocks, where it is one and large enough, and else as it is. */
const inBlocks = (kernel: Kernel, full: readonly Statement[], fused: boolean): Nest => {
  const product = productOf(kernel, full)
  const parameters = kernel.parameters.length
  const blocks = product && packed(product, { scratch: kernel.buffers.length, parameters, fused, firstLoop: firstFree(kernel.space, full) })
  if (blocks === undefined) return plain(kernel, full)
  const { body, isWorth, inLanes, mayChoose, units } = blocks
  const chosen = mayChoose.map((s) => lanesIn(s, 0, depthsIn([], [s])))
  const lanes = allLanes([...chosen, { loops: new Map(inLanes.map((index) => [index, new Map()])), regions: new Map() }])
  if (isWorth === undefined) return { body, lanes, units }
  const { space, ...direct } = lanesOf(kernel, full)
  const isFirst: Expr = {
    tag: 'op',
    dtype: 'bool',
    op: 'equal',
    operands: [firstUnit(parameters), { tag: 'literal', dtype: 'i32', value: 0 }],
  }
  return {
    units,
    lanes: allLanes([direct, lanes]),
    body: [
      { tag: 'if', condition: isWorth, body },
      // What is that small is done whole, with the first unit.
      { tag: 'if', condition: and(isFirst, not(isWorth)), body: inLoops(space, full) },
    ],
  }
}

/** Rows sorted one by one. */
const inOrder = (kernel: Kernel, ranking: Ranking, firstLoop: number): Nest => {
  const { rows, places } = ranking
  const { body, mayChoose } = sorted(ranking, kernel.buffers.length, firstLoop + 1)
  const { units, body: ofUnits } = inUnits({
    space: rows,
    body,
    inLanes: false,
    parameters: kernel.parameters.length,
    unit: `i${String(firstLoop)}`,
  })
  return {
    body: ofUnits,
    lanes: allLanes(mayChoose.map((s) => lanesIn(s, 0, depthsIn([], [s])))),
    units: {
      ...units,
      besides: (extentOf) => {
        const count = rows.reduce((product, { index }) => product * extentOf(index), 1)
        return { time: sortTime(count, extentOf(places.index)), scratch: sortBytes(extentOf(places.index)) }
      },
    },
  }
}

/** Of the loops that a kernel has, where they have been merged. */
const ofParts = ({ parts, besides, ...rest }: Units, madeOf: ReadonlyMap<string, readonly string[]>): Units => {
  const loopsOf = (index: string): readonly string[] => madeOf.get(index) ?? [index]
  return {
    ...rest,
    parts: parts.map((part) => ({ ...part, loops: part.loops.flatMap(loopsOf) })),
    ...(besides && {
      besides: (extentOf) => besides((index) => loopsOf(index).reduce((product, loop) => product * extentOf(loop), 1)),
    }),
  }
}

/** A kernel as nests of loops, and which of them run in lanes. */
export const nest = (kernel: Kernel, uses: Uses, fused: boolean): Nest => {
  const { madeOf, space, body: full } = merged(kernel, inFull(kernel), uses)
  const ranking = rankingOf({ space }, full)
  const { body, lanes, units } =
    ranking === undefined ? inBlocks({ ...kernel, space }, full, fused) : inOrder(kernel, ranking, firstFree(space, full))
  return { lanes, units: ofParts(units, madeOf), body: schedule(body, new Set([...writtenBy(kernel), kernel.buffers.length])) }
}
