import { sizes } from '../dsl/index.js'
import type { Cut } from './cuts.js'
import type { Exprs } from './exprs.js'
import type { Expr, Kernel, Loop, Statement } from './loop-ir.js'
import type { Command, Parameter } from './plan.js'

export type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

/** Every choice of one place in each range: [0, 0], [0, 1], … */
export const places = (sides: readonly number[]): readonly (readonly number[])[] =>
  sides.reduce<readonly (readonly number[])[]>(
    (found, side) => found.flatMap((place) => Array.from({ length: side }, (_, i) => [...place, i])),
    [[]],
  )

/** The number of the next loop after those called i0, i1, … */
export const nextLoop = (space: readonly Loop[], body: readonly Statement[]): number =>
  Math.max(
    0,
    ...space.map(({ index }) => Number(index.slice(1)) + 1),
    ...body.map((s) => (s.tag === 'for' ? nextLoop([s.loop], s.body) : s.tag === 'if' ? nextLoop([], s.body) : 0)),
  )

/** How many tiles there are along each loop of a space, as the kernel says it. What is not known is a parameter after the others. */
export const spaceInTiles = ({ space, parameters }: Kernel, cuts: readonly Cut[], exprs: Exprs): Pick<Kernel, 'space' | 'parameters'> => {
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
export const commandInTiles = (command: Dispatch, { space }: Kernel, cuts: readonly Cut[]): Dispatch => {
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
export const placed = (exprs: Exprs, cuts: readonly Cut[], offsets: readonly Expr[]): ((name: string) => Expr) => {
  const at = new Map(
    cuts.map(({ loop: { index }, side }, i) => [
      index,
      exprs.plus(exprs.times(exprs.index(index), exprs.literal(side)), offsets[i] ?? exprs.literal(0)),
    ]),
  )
  return (name) => at.get(name) ?? exprs.index(name)
}

export const every = (exprs: Exprs, conditions: readonly Expr[]): Expr => conditions.reduce((p, q) => exprs.op('and', 'bool', p, q))

/** The extent of a loop, as an expression of the kernel that is being built. */
export const extentOf = (exprs: Exprs, { extent }: Loop): Expr =>
  extent.tag === 'parameter' ? exprs.parameter(extent.slot, extent.dtype) : extent.tag === 'literal' ? exprs.literal(extent.value) : extent

/** Whether no tile of a ragged cut reaches over its edge. */
export const areWhole = (exprs: Exprs, cuts: readonly Cut[]): readonly Expr[] => {
  const end = placed(
    exprs,
    cuts,
    cuts.map((cut) => exprs.literal(cut.side)),
  )
  return cuts.filter(({ ragged }) => ragged).map(({ loop }) => exprs.op('lessEqual', 'bool', end(loop.index), extentOf(exprs, loop)))
}

/** One list of statements where a condition holds, another where it does not. */
export const either = (exprs: Exprs, isWhole: Expr, whole: readonly Statement[], ragged: readonly Statement[]): readonly Statement[] => [
  { tag: 'if', condition: isWhole, body: whole },
  { tag: 'if', condition: exprs.op('not', 'bool', isWhole), body: ragged },
]
