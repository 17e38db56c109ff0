import { sizes } from '../dsl/index.js'
import { copy, jam } from './copies.js'
import { type Cut, cutsOf } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import type { Expr, Loop, Statement } from './loop-ir.js'
import type { Lowered } from './lower.js'
import type { Parameter } from './plan.js'

/** Every choice of one place in each range: [0, 0], [0, 1], … */
const places = (sides: readonly number[]): readonly (readonly number[])[] =>
  sides.reduce<readonly (readonly number[])[]>(
    (found, side) => found.flatMap((place) => Array.from({ length: side }, (_, i) => [...place, i])),
    [[]],
  )

/** The number of the next loop after those called i0, i1, … */
const nextLoop = (space: readonly Loop[], body: readonly Statement[]): number =>
  Math.max(
    0,
    ...space.map(({ index }) => Number(index.slice(1)) + 1),
    ...body.map((s) => (s.tag === 'for' ? nextLoop([s.loop], s.body) : s.tag === 'if' ? nextLoop([], s.body) : 0)),
  )

/** The space in tiles: how many there are along each loop, as the kernel and as the commands say it. */
const spaceInTiles = (
  { space, extents, parameters }: Lowered,
  cuts: readonly Cut[],
  exprs: Exprs,
): Pick<Lowered, 'space' | 'extents' | 'parameters'> => {
  const added: Parameter[] = []
  const counted = space.map((loop, i) => {
    const [cut, size = sizes.literal(0)] = [cuts.find((c) => c.loop.index === loop.index), extents[i]]
    if (cut === undefined) return { loop, size }
    const count = sizes.quotient(sizes.plus(size, cut.side - 1), cut.side)
    const known = sizes.known(count)
    const slot = parameters.length + added.length
    if (known === undefined) added.push({ tag: 'size', size: count })
    return { loop: { ...loop, extent: known === undefined ? exprs.parameter(slot, 'i32') : exprs.literal(known) }, size: count }
  })
  return { space: counted.map(({ loop }) => loop), extents: counted.map(({ size }) => size), parameters: [...parameters, ...added] }
}

/** Put the index of each cut loop in terms of its tile: side·index + offset. */
const placed = (exprs: Exprs, cuts: readonly Cut[], offsets: readonly Expr[]): ((name: string) => Expr) => {
  const at = new Map(
    cuts.map(({ loop: { index }, side }, i) => [
      index,
      exprs.plus(exprs.times(exprs.index(index), exprs.literal(side)), offsets[i] ?? exprs.literal(0)),
    ]),
  )
  return (name) => at.get(name) ?? exprs.index(name)
}

/** All outputs of a tile at once: a copy of the body for each, jammed together. */
const wholeTile = (exprs: Exprs, body: readonly Statement[], cuts: readonly Cut[]): readonly Statement[] =>
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

const every = (exprs: Exprs, conditions: readonly Expr[]): Expr => conditions.reduce((p, q) => exprs.op('and', 'bool', p, q))

/** The outputs of a tile one after the other, those beyond the edge left out. Its loops have names of their own: they stand deeper. */
const brokenTile = (exprs: Exprs, { space, body }: Lowered, cuts: readonly Cut[]): readonly Statement[] => {
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
  const isThere = cuts.map((cut) => exprs.op('less', 'bool', index(cut.loop.index), extentOf(exprs, cut)))
  return inner.reduceRight<readonly Statement[]>(
    (statements, loop) => [{ tag: 'for', loop, body: statements }],
    [{ tag: 'if', condition: every(exprs, isThere), body: one }],
  )
}

const extentOf = (exprs: Exprs, { loop: { extent } }: Cut): Expr =>
  extent.tag === 'parameter' ? exprs.parameter(extent.slot, extent.dtype) : extent

/**
 * Register tiling. A point of a contraction's space makes `side` by `side` outputs in place of one, so that a number that is read serves
 * a whole row of them, and the sums do not wait for each other. Each sum keeps its order, so the bits are those of the untiled kernel.
 * A tile that reaches over an edge is made output by output. What sums no products is left as it is.
 */
export const tile = (lowered: Lowered, side: number): Lowered => {
  const cuts = side > 1 ? cutsOf(lowered, side) : []
  if (cuts.length === 0) return lowered
  const exprs = createExprs()
  const tiles = { ...lowered, ...spaceInTiles(lowered, cuts, exprs) }
  const whole = wholeTile(exprs, lowered.body, cuts)
  const ragged = cuts.filter((cut) => cut.ragged)
  if (ragged.length === 0) return { ...tiles, body: whole }
  const end = placed(
    exprs,
    cuts,
    cuts.map((cut) => exprs.literal(cut.side)),
  )
  const isWhole = every(
    exprs,
    ragged.map((cut) => exprs.op('lessEqual', 'bool', end(cut.loop.index), extentOf(exprs, cut))),
  )
  return {
    ...tiles,
    body: [
      { tag: 'if', condition: isWhole, body: whole },
      { tag: 'if', condition: exprs.op('not', 'bool', isWhole), body: brokenTile(exprs, lowered, cuts) },
    ],
  }
}
