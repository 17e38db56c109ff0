import { besides, type Command, type Expr, type Plan, type PlanBuffer } from '../../compiler/index.js'
import { sizes } from '../../dsl/index.js'
import { divide, type Half } from './division.js'
import { foldingOf, partCount } from './folding.js'

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

/** Commands that run side by side, and those that do not by themselves. */
const launches = (commands: readonly Dispatch[]): readonly (readonly Dispatch[])[] =>
  commands.reduce<Dispatch[][]>((all, command) => {
    if (command.beside) all.at(-1)?.push(command)
    else all.push([command])
    return all
  }, [])

const sizeOf = ({ parameters }: Dispatch, extent: Expr): sizes.Size => {
  const given = extent.tag === 'parameter' ? parameters[extent.slot] : undefined
  if (given?.tag !== 'size') throw new Error('the extent of a loop is no size')
  return given.size
}

/**
 * A plan whose folds for no rows, or few, are cut into parts that threads can share, and that are folded after them. The parts are as many
 * whatever the sizes and the threads are, so that neither the order of a sum nor its bits depend on how many threads there are.
 */
export const divided = <I, S, O>(plan: Plan<I, S, O>): Plan<I, S, O> => {
  const found = plan.kernels.map(foldingOf).map((folding) => folding && divide(folding))
  const kernels = found.flatMap((division, i) => (division === undefined ? [plan.kernels[i]!] : [division.parts.kernel, division.joined.kernel])) // prettier-ignore
  const firstOf = found.reduce<number[]>((places, division) => [...places, places.at(-1)! + (division === undefined ? 1 : 2)], [0])
  const buffers: PlanBuffer[] = [...plan.buffers]
  const dispatches = plan.commands.filter((command) => command.tag === 'dispatch')
  const inTwo = (command: Dispatch): readonly Dispatch[] => {
    const [division, kernel] = [found[command.kernel], firstOf[command.kernel]!]
    if (division === undefined) return [{ ...command, kernel }]
    const { parts, joined, dtypes, extent } = division
    const elements = sizes.scale(sizes.product(command.extents), partCount)
    const own = dtypes.map((dtype) => buffers.push({ dtype, elements, role: { tag: 'made' } }) - 1)
    const of = ({ touches }: Half): readonly number[] => [...touches.map((number) => command.buffers[number]!), ...own]
    const size = extent.tag === 'literal' ? sizes.literal(extent.value) : sizeOf(command, extent)
    const what = command.makes.map((making) => `parts of ${making.what}`).join(', ')
    return [
      {
        ...command,
        kernel,
        buffers: of(parts),
        parameters: [...command.parameters, { tag: 'size', size: sizes.quotient(sizes.plus(size, partCount - 1), partCount) }],
        extents: [sizes.literal(partCount), ...command.extents],
        makes: [{ what, because: 'reduction', elements, readBy: [] }],
      },
      { ...command, kernel: kernel + 1, buffers: of(joined) },
    ]
  }
  const inOrder = launches(dispatches).flatMap((launch) => {
    const all = launch.map(inTwo)
    return [0, 1].flatMap((half) => all.flatMap((commands) => commands[half] ?? []))
  })
  const commands = [...besides(kernels, inOrder), ...plan.commands.filter((command) => command.tag === 'copy')]
  return { ...plan, kernels, buffers, commands }
}
