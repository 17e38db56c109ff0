import { sizes } from '../dsl/index.js'
import { copy, jam } from './copies.js'
import { type Cut, cutsOf } from './cuts.js'
import { createExprs, type Exprs } from './exprs.js'
import { inFull } from './full.js'
import { type Expr, type Kernel, type Loop, inLoops, type Statement, writtenBy } from './loop-ir.js'
import type { Command, Parameter, Plan } from './plan.js'
import { schedule } from './schedule.js'

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

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

/** How many tiles there are along each loop of a space, as the kernel says it. What is not known is a parameter after the others. */
const spaceInTiles = ({ space, parameters }: Kernel, cuts: readonly Cut[], exprs: Exprs): Pick<Kernel, 'space' | 'parameters'> => {
  const added: 'i32'[] = []
  const counted = space.map((loop): Loop => {
    const cut = cuts.find((c) => c.loop.index === loop.index)
    if (cut === undefined) return loop
    const { extent } = loop
    if (extent.tag === 'literal') return { ...loop, extent: exprs.literal(Math.ceil(extent.value / cut.side)) }
    added.push('i32')
    return { ...loop, extent: exprs.parameter(parameters.length + added.length - 1, 'i32') }
  })
  return { space: counted, parameters: [...parameters, ...added] }
}

/** The same as the commands of the kernel say it. */
const commandInTiles = (command: Dispatch, { space }: Kernel, cuts: readonly Cut[]): Dispatch => {
  const counts = space.map((loop, i) => {
    const [cut, size = sizes.literal(0)] = [cuts.find((c) => c.loop.index === loop.index), command.extents[i]]
    return { size: cut === undefined ? size : sizes.quotient(sizes.plus(size, cut.side - 1), cut.side), cut }
  })
  const added = counts.flatMap(({ size, cut }): readonly Parameter[] =>
    cut === undefined || cut.loop.extent.tag === 'literal' ? [] : [{ tag: 'size', size }],
  )
  return { ...command, extents: counts.map(({ size }) => size), parameters: [...command.parameters, ...added] }
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
  const isThere = cuts.map((cut) => exprs.op('less', 'bool', index(cut.loop.index), extentOf(exprs, cut)))
  return inLoops(inner, [{ tag: 'if', condition: every(exprs, isThere), body: one }])
}

const extentOf = (exprs: Exprs, { loop: { extent } }: Cut): Expr =>
  extent.tag === 'parameter' ? exprs.parameter(extent.slot, extent.dtype) : extent

const tileKernel = (kernel: Kernel, body: readonly Statement[], cuts: readonly Cut[]): Kernel => {
  const exprs = createExprs()
  const tiles = { ...kernel, ...spaceInTiles(kernel, cuts, exprs) }
  const whole = wholeTile(exprs, body, cuts)
  const ragged = cuts.filter((cut) => cut.ragged)
  if (ragged.length === 0) return { ...tiles, body: schedule(whole, writtenBy(kernel)) }
  const end = placed(
    exprs,
    cuts,
    cuts.map((cut) => exprs.literal(cut.side)),
  )
  const isWhole = every(
    exprs,
    ragged.map((cut) => exprs.op('lessEqual', 'bool', end(cut.loop.index), extentOf(exprs, cut))),
  )
  const either: readonly Statement[] = [
    { tag: 'if', condition: isWhole, body: whole },
    { tag: 'if', condition: exprs.op('not', 'bool', isWhole), body: brokenTile(exprs, kernel.space, body, cuts) },
  ]
  return { ...tiles, body: schedule(either, writtenBy(kernel)) }
}

/**
 * Register tiling, for devices that have no vectors of their own. A point of a contraction's space makes `side` by `side` outputs in
 * place of one, so that a number that is read serves a whole row of them, and the sums do not wait for each other. Each sum keeps its
 * order, so the bits are those of the untiled kernel. A tile that reaches over an edge is made output by output. What sums no products
 * is left as it is.
 */
export const tile = <I, S, O>(plan: Plan<I, S, O>, side: number): Plan<I, S, O> => {
  const tiled = plan.kernels.map((kernel) => {
    const body = inFull(kernel)
    const cuts = cutsOf(kernel.space, body, side)
    return { cuts, kernel: cuts.length === 0 ? kernel : tileKernel(kernel, body, cuts) }
  })
  return {
    ...plan,
    kernels: tiled.map(({ kernel }) => kernel),
    commands: plan.commands.map((command) => {
      const [kernel, made] = command.tag === 'copy' ? [] : [plan.kernels[command.kernel], tiled[command.kernel]]
      return command.tag === 'copy' || kernel === undefined || made === undefined ? command : commandInTiles(command, kernel, made.cuts)
    }),
  }
}
