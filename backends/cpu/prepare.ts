import { type Layout, layout, type Plan, writeParameters } from '../../compiler/index.js'
import { mostPrepared, remembered } from '../remembered.js'
import { type Chunks, chunksOf } from './chunks.js'
import type { Units } from './wasm/emit/units.js'

/** What a run at given sizes needs and no value changes. */
export interface Prepared {
  readonly layout: Layout
  /** The parameters of all commands, one after the other. */
  readonly words: Uint8Array
  /** For each command, at which byte its own begin. */
  readonly firstByte: readonly number[]
  /** How each command is cut. */
  readonly chunks: readonly Chunks[]
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

/** What to prepare for the sizes at hand, where some of the buffers lie elsewhere; the sizes that were used last are remembered. */
export const preparing = (
  plan: Plan,
  units: readonly Units[],
): ((bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>) => Prepared) => {
  const remember = remembered<Prepared>(mostPrepared)
  return (bound, elsewhere) =>
    remember(`${[...bound].flat().join()} ${[...elsewhere].join()}`, () => ({
      layout: layout(plan, bound, elsewhere),
      ...wordsOf(plan, bound),
      chunks: plan.commands.map((command) => chunksOf(plan, command, units, bound)),
    }))
}
