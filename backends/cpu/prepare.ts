import { type Layout, layout, type Plan, writeParameters } from '../../compiler/index.js'
import { mostPrepared, remembered } from '../remembered.js'
import { type Chunks, chunking } from './chunks.js'
import { type List, listOf } from './list.js'
import { scratchBytes } from './wasm/emit/panels.js'
import type { Units } from './wasm/emit/units.js'

/** What a run at given sizes needs and no value changes. */
export interface Prepared {
  readonly layout: Layout
  /** The parameters of all commands, one after the other. */
  readonly words: Uint8Array
  /** For each command, at which byte its own begin. */
  readonly firstByte: readonly number[]
  readonly list: List
  /** How each command is cut. */
  readonly chunks: readonly Chunks[]
  /** After which commands a thread that is alone may stop, for others to have a turn: each number is that of the next. */
  readonly stops: readonly number[]
  /** How long one thread takes for what several could share, in nanoseconds, roughly. */
  readonly shared: number
  /** The bytes of scratch memory that each thread needs. */
  readonly scratch: number
}

const wordsOf = ({ commands }: Plan, bound: ReadonlyMap<string, number>): Pick<Prepared, 'words' | 'firstByte'> => {
  const parameters = commands.map((command) => (command.tag === 'copy' ? [] : command.parameters))
  const words = new DataView(new ArrayBuffer(4 * parameters.flat().length))
  let next = 0
  const firstByte = parameters.map((own) => {
    const first = next
    writeParameters(words, first, own, bound)
    next += 4 * own.length
    return first
  })
  return { words: new Uint8Array(words.buffer), firstByte }
}

/** So much work, in nanoseconds, is done in one go. */
const inOneGo = 200_000

const stopsOf = (chunks: readonly Chunks[]): readonly number[] => {
  let since = 0
  return chunks.flatMap(({ work }, i) => {
    since += work
    if (since + (chunks[i + 1]?.work ?? Infinity) <= inOneGo) return []
    since = 0
    return [i + 1]
  })
}

const sharedWork = (chunks: readonly Chunks[]): number => chunks.reduce((sum, { work, chunks: count }) => (count > 1 ? sum + work : sum), 0)

/** What to prepare for the sizes at hand, where some of the buffers lie elsewhere; the sizes that were used last are remembered. */
export const preparing = (
  plan: Plan,
  units: readonly Units[],
): ((bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>) => Prepared) => {
  const remember = remembered<Prepared>(mostPrepared)
  const [cut, list] = [chunking(plan, units), listOf(plan)]
  return (bound, elsewhere) =>
    remember(`${[...bound].flat().join()} ${[...elsewhere].join()}`, () => {
      const chunks = plan.commands.map((command) => cut(command, bound))
      return {
        list,
        layout: layout(plan, bound, elsewhere),
        ...wordsOf(plan, bound),
        chunks,
        stops: stopsOf(chunks),
        shared: sharedWork(chunks),
        scratch: chunks.reduce((most, { scratch }) => Math.max(most, scratch), scratchBytes),
      }
    })
}
