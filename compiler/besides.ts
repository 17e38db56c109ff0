import type { Kernel } from './loop-ir.js'
import type { Command } from './plan.js'

type Dispatch = Extract<Command, { readonly tag: 'dispatch' }>

/** Say of each command whether it runs beside the one before it, and so beside all that run beside that. */
export const besides = (kernels: readonly Kernel[], commands: readonly Omit<Dispatch, 'beside'>[]): readonly Dispatch[] => {
  let [written, touched] = [new Set<number>(), new Set<number>()]
  return commands.map((command, i): Dispatch => {
    const { kernel, buffers } = command
    const writes = buffers.filter((_, slot) => kernels[kernel]?.buffers[slot]?.access !== 'read')
    const isSame = commands[i - 1]?.kernel === kernel
    const beside = isSame && !buffers.some((b) => written.has(b)) && !writes.some((b) => touched.has(b))
    if (!beside) [written, touched] = [new Set(), new Set()]
    for (const b of writes) written.add(b)
    for (const b of buffers) touched.add(b)
    return { ...command, beside }
  })
}
