import type { Command, Plan } from '../../compiler/index.js'
import type { Chunks } from './chunks.js'
import { head, placesOf, words } from './wasm/emit/run.js'

/** The commands of a run as the module reads them. */
export const listBytes = ({ commands }: Plan): number => 4 * (placesOf(commands).at(-1) ?? 0)

interface Places {
  /** The address of each buffer, and its length in bytes. */
  readonly addresses: readonly number[]
  readonly bytes: readonly number[]
  /** For each command, the address of its parameters. */
  readonly parameters: readonly number[]
}

const argumentsFor = (command: Command, parameters: number, { addresses, bytes }: Places): readonly number[] => {
  const at = (buffer: number): number => addresses[buffer] ?? 0
  return command.tag === 'copy' ? [at(command.from), at(command.to), bytes[command.from] ?? 0] : [parameters, ...command.buffers.map(at)]
}

/** A list for so many threads. */
export const listOf = ({ commands }: Plan, chunks: readonly Chunks[], threads: number, places: Places): Uint8Array => {
  const at = placesOf(commands)
  const list = new Int32Array(at.at(-1) ?? 0)
  list[head.threads] = threads
  commands.forEach((command, i) => {
    const [from, { units, perChunk, chunks: count }] = [at[i]!, chunks[i]!]
    list[from + words.chunks] = count
    list[from + words.perChunk] = perChunk
    list[from + words.units] = units
    list.set(argumentsFor(command, places.parameters[i] ?? 0, places), from + words.own)
  })
  return new Uint8Array(list.buffer)
}
