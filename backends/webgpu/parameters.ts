import { alignment, type Kernel, type Plan, writeParameters } from '../../compiler/index.js'
import { parameterBytes, reservedWords } from './emit/kernel.js'

/** Where each dispatch has its parameter block in the one parameter buffer of a program, in bytes. */
export interface ParameterBlocks {
  readonly blocks: readonly { readonly offset: number; readonly bytes: number }[]
  readonly bytes: number
}

export const dispatchesOf = ({ commands }: Plan) => commands.flatMap((command) => (command.tag === 'dispatch' ? [command] : []))

export const parameterBlocks = (plan: Plan): ParameterBlocks => {
  const sizes = plan.kernels.map((kernel: Kernel) => parameterBytes(kernel))
  let end = 0
  const blocks = dispatchesOf(plan).map(({ kernel }) => {
    const block = { offset: end, bytes: sizes[kernel] ?? 0 }
    end = Math.ceil((end + block.bytes) / alignment) * alignment
    return block
  })
  return { blocks, bytes: end }
}

/** The contents of all blocks, which depend on the sizes alone: in each, word 0 is 0, then comes one word a parameter. */
export const parameterWords = (plan: Plan, { blocks, bytes }: ParameterBlocks, bound: ReadonlyMap<string, number>): Uint8Array => {
  const view = new DataView(new ArrayBuffer(bytes))
  dispatchesOf(plan).forEach(({ parameters }, i) => writeParameters(view, blocks[i]!.offset + 4 * reservedWords, parameters, bound))
  return new Uint8Array(view.buffer)
}
