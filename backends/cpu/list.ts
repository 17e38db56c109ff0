import type { Command, Plan } from '../../compiler/index.js'
import type { Chunks } from './chunks.js'
import { head, placesOf, words } from './wasm/emit/run.js'

/** The commands of a run as the module reads them. */
export interface List {
  readonly bytes: number
  /** The list for so many threads: how each command is cut, and where in this run everything lies. */
  readonly made: (chunks: readonly Chunks[], threads: number, places: Places) => Uint8Array
}

export interface Places {
  /** The address of each buffer, and its length in bytes. */
  readonly addresses: readonly number[]
  readonly bytes: readonly number[]
  /** The address of the parameters of all commands, and the byte at which those of each begin. */
  readonly parameters: number
  readonly firstByte: readonly number[]
}

export const listOf = ({ commands }: Pick<Plan, 'commands'>): List => {
  const at = placesOf(commands)
  const list = new Int32Array(at.at(-1) ?? 0)
  const made = new Uint8Array(list.buffer)
  const own = (command: Command, i: number, from: number, { addresses, bytes, parameters, firstByte }: Places): void => {
    if (command.tag === 'copy') {
      list[from] = addresses[command.from] ?? 0
      list[from + 1] = addresses[command.to] ?? 0
      list[from + 2] = bytes[command.from] ?? 0
      return
    }
    list[from] = parameters + (firstByte[i] ?? 0)
    for (const [slot, buffer] of command.buffers.entries()) list[from + 1 + slot] = addresses[buffer] ?? 0
  }
  return {
    bytes: made.byteLength,
    made: (chunks, threads, places) => {
      list[head.threads] = threads
      for (const [i, command] of commands.entries()) {
        const [from, { units, perChunk, chunks: count }] = [at[i]!, chunks[i]!]
        list[from + words.chunks] = count
        list[from + words.perChunk] = perChunk
        list[from + words.units] = units
        own(command, i, from + words.own, places)
      }
      return made
    },
  }
}
