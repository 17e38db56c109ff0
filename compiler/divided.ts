import { sizes } from '../dsl/index.js'
import { besides } from './besides.js'
import { divide, type Division, type Half } from './division.js'
import { foldingOf, type PartsFor } from './folding.js'
import type { Expr, Kernel } from './loop-ir.js'
import type { Command, Plan, PlanBuffer } from './plan.js'

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

/** What runs side by side, and what does not by itself. */
const launches = (doings: readonly Doing[]): readonly (readonly Doing[])[] =>
  doings.reduce<Doing[][]>((all, doing) => {
    if (doing.command.beside) all.at(-1)?.push(doing)
    else all.push([doing])
    return all
  }, [])

const sizeOf = ({ parameters }: Dispatch, extent: Expr): sizes.Size => {
  const given = extent.tag === 'parameter' ? parameters[extent.slot] : undefined
  if (given?.tag !== 'size') throw new Error('the extent of a loop is no size')
  return given.size
}

/** A plan whose folds are in parts. */
export interface Divided<I = unknown, S = unknown, O = unknown> {
  readonly plan: Plan<I, S, O>
  /** For each of its commands, that of the whole plan which it does, or a part of it. */
  readonly stepOf: readonly number[]
}

export interface DivisionSettings {
  readonly partsFor: PartsFor
  /** Buffers that a kernel may have bound; any number unless said. */
  readonly storageBuffers?: number
}

const divisionOf = (kernel: Kernel, { partsFor, storageBuffers = Infinity }: DivisionSettings): Division | undefined => {
  const folding = foldingOf(kernel, partsFor)
  const division = folding && divide(folding)
  const fits = ({ kernel: { buffers } }: Half): boolean => buffers.length <= storageBuffers
  return division !== undefined && fits(division.parts) && fits(division.joined) ? division : undefined
}

/** A command that does a step of the whole plan, or a part of it. */
interface Doing {
  readonly step: number
  readonly command: Dispatch
}

/**
 * A plan whose folds for no rows, or few, are cut into parts that can be folded side by side, and that are folded after them. The parts are as
 * many whoever folds them, so that neither the order of a sum nor its bits depend on it.
 */
export const divided = <I, S, O>(plan: Plan<I, S, O>, settings: DivisionSettings): Divided<I, S, O> => {
  const found = plan.kernels.map((kernel) => divisionOf(kernel, settings))
  const kernels = found.flatMap((division, i) => (division === undefined ? [plan.kernels[i]!] : [division.parts.kernel, division.joined.kernel])) // prettier-ignore
  const firstOf = found.reduce<number[]>((places, division) => [...places, places.at(-1)! + (division === undefined ? 1 : 2)], [0])
  const buffers: PlanBuffer[] = [...plan.buffers]
  const inTwo = ({ step, command }: Doing): readonly Doing[] => {
    const [division, kernel] = [found[command.kernel], firstOf[command.kernel]!]
    if (division === undefined) return [{ step, command: { ...command, kernel } }]
    const { count, parts, joined, dtypes, extent } = division
    const elements = sizes.scale(sizes.product(command.extents), count)
    const own = dtypes.map((dtype) => buffers.push({ dtype, elements, role: { tag: 'made' } }) - 1)
    const of = ({ touches }: Half): readonly number[] => [...touches.map((number) => command.buffers[number]!), ...own]
    const size = extent.tag === 'literal' ? sizes.literal(extent.value) : sizeOf(command, extent)
    const what = command.makes.map((making) => `parts of ${making.what}`).join(', ')
    const inParts: Dispatch = {
      ...command,
      kernel,
      buffers: of(parts),
      parameters: [...command.parameters, { tag: 'size', size: sizes.quotient(sizes.plus(size, count - 1), count) }],
      extents: [sizes.literal(count), ...command.extents],
      makes: [{ what, because: 'reduction', elements, readBy: [] }],
    }
    return [
      { step, command: inParts },
      { step, command: { ...command, kernel: kernel + 1, buffers: of(joined) } },
    ]
  }
  const doings = plan.commands.flatMap((command, step): readonly Doing[] => (command.tag === 'dispatch' ? [{ step, command }] : []))
  const inOrder = launches(doings).flatMap((launch) => {
    const all = launch.map(inTwo)
    return [0, 1].flatMap((half) => all.flatMap((commands) => commands[half] ?? []))
  })
  const dispatches = besides(
    kernels,
    inOrder.map(({ command }) => command),
  )
  const copies = plan.commands.flatMap((command, step) => (command.tag === 'copy' ? [{ step, command }] : []))
  return {
    plan: { ...plan, kernels, buffers, commands: [...dispatches, ...copies.map(({ command }) => command)] },
    stepOf: [...inOrder, ...copies].map(({ step }) => step),
  }
}
