import { copy, jam } from './copies.js'
import { type Cut, cutsOf, type Sides } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import { inFull } from './full.js'
import { type Kernel, type Loop, inLoops, type Statement, writtenBy } from './loop-ir.js'
import type { Plan } from './plan.js'
import { schedule } from './schedule.js'
import { type Shares, sharedTiles } from './share.js'
import { areWhole, commandInTiles, type Dispatch, either, every, extentOf, nextLoop, placed, places, spaceInTiles } from './tiled-space.js'

/** All outputs of a tile at once: a copy of the body for each, jammed together. */
export const wholeTile = (exprs: Exprs, body: readonly Statement[], cuts: readonly Cut[]): readonly Statement[] =>
  jam(
    places(cuts.map(({ side }) => side)).map((offsets, n) =>
      copy(exprs, {
        index: placed(
          exprs,
          cuts,
          offsets.map((offset) => exprs.literal(offset)),
        ),
        loop: (name) => name,
        variable: (name) => `${name}${String(n)}`,
      })(body),
    ),
  )

/** The outputs of a tile one after the other, those beyond the edge left out. Its loops have names of their own: they stand deeper. */
const brokenTile = (exprs: Exprs, space: readonly Loop[], body: readonly Statement[], cuts: readonly Cut[]): readonly Statement[] => {
  const next = nextLoop(space, body)
  const inner = cuts.map(({ side }, i): Loop => ({ index: `i${String(next + i)}`, extent: exprs.literal(side) }))
  const deeper = next + inner.length
  const index = placed(
    exprs,
    cuts,
    inner.map((loop) => exprs.index(loop.index)),
  )
  const loops = new Set(space.map((loop) => loop.index))
  const loop = (name: string): string => (loops.has(name) ? name : `i${String(Number(name.slice(1)) + deeper)}`)
  const one = copy(exprs, {
    index: (name) => (loops.has(name) ? index(name) : exprs.index(loop(name))),
    loop,
    variable: (name) => name,
  })(body)
  const isThere = cuts.map((cut) => exprs.op('less', 'bool', index(cut.loop.index), extentOf(exprs, cut.loop)))
  return inLoops(inner, [{ tag: 'if', condition: every(exprs, isThere), body: one }])
}

const tileKernel = (kernel: Kernel, body: readonly Statement[], cuts: readonly Cut[]): Kernel => {
  const exprs = createExprs()
  const tiles = { ...kernel, ...spaceInTiles(kernel, cuts, exprs) }
  const whole = wholeTile(exprs, body, cuts)
  const conditions = areWhole(exprs, cuts)
  const all = conditions.length === 0 ? whole : either(exprs, every(exprs, conditions), whole, brokenTile(exprs, kernel.space, body, cuts))
  return { ...tiles, body: schedule(all, writtenBy(kernel)) }
}

/** A kernel in tiles, and how its commands change with it. */
export interface Tiled {
  readonly kernel: Kernel
  readonly command: (command: Dispatch) => Dispatch
}

/** How contractions are cut. */
export interface Tiling {
  /** The outputs that one invocation makes. */
  readonly tile: Sides
  /** The same where the outputs are whole tiles of this at all sizes: it may be larger, for no edge has to be compiled with it. */
  readonly whole?: Sides
  /** How workgroups share what they read; without it registers are all there is. */
  readonly shares?: Shares
}

const cutsBy = ({ tile, whole }: Tiling, { space }: Kernel, body: readonly Statement[]): readonly Cut[] => {
  const cuts = whole === undefined ? [] : cutsOf(space, body, whole)
  return cuts.length > 0 && !cuts.some(({ ragged }) => ragged) ? cuts : cutsOf(space, body, tile)
}

const tiledKernel = (kernel: Kernel, tiling: Tiling): Tiled => {
  const body = inFull(kernel)
  const cuts = kernel.workgroup === undefined ? cutsBy(tiling, kernel, body) : []
  if (cuts.length === 0) return { kernel, command: (command) => command }
  return (
    (tiling.shares && sharedTiles(kernel, body, cuts, tiling.shares)) ?? {
      kernel: tileKernel(kernel, body, cuts),
      command: (command) => commandInTiles(command, kernel, cuts),
    }
  )
}

/**
 * Tiles of contractions, for devices that have no vectors of their own. A point of a contraction's space makes a tile of outputs in
 * place of one, so that a number that is read serves a whole row of them, and the sums do not wait for each other. Each sum keeps its
 * order, so the bits are those of the untiled kernel. A tile that reaches over an edge is made output by output. What sums no products
 * is left as it is. Where the invocations of a workgroup `share`, what they read goes through memory of theirs.
 */
export const tile = <I, S, O>(plan: Plan<I, S, O>, tiling: Tiling): Plan<I, S, O> => {
  const tiled = plan.kernels.map((kernel) => tiledKernel(kernel, tiling))
  return {
    ...plan,
    kernels: tiled.map(({ kernel }) => kernel),
    commands: plan.commands.map((command) => (command.tag === 'copy' ? command : (tiled[command.kernel]?.command(command) ?? command))),
  }
}
