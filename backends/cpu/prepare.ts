import { type Layout, layout, parameterValue, type Plan } from '../../compiler/index.js'

/** What a run at given sizes needs and no value changes. */
export interface Prepared {
  readonly layout: Layout
  /** The parameters of all commands, one after the other, by their bits. */
  readonly words: Int32Array
  /** For each command, where in the words its own begin. */
  readonly firstWord: readonly number[]
}

const wordsOf = ({ commands, kernels }: Plan, bound: ReadonlyMap<string, number>): Pick<Prepared, 'words' | 'firstWord'> => {
  const own = commands.map((command) =>
    command.tag === 'copy'
      ? []
      : command.parameters.map((p, slot) => ({ value: parameterValue(p, bound), dtype: kernels[command.kernel]?.parameters[slot] })),
  )
  const all = own.flat()
  const words = new Int32Array(all.length)
  const floats = new Float32Array(words.buffer)
  all.forEach(({ value, dtype }, i) => {
    if (dtype === 'f32') floats[i] = value
    else words[i] = value
  })
  let next = 0
  return { words, firstWord: own.map(({ length }) => (next += length) - length) }
}

const mostRemembered = 64

/** As `prepare` of the plan, remembered for the sizes that were used last. */
export const preparing = (plan: Plan): ((bound: ReadonlyMap<string, number>, elsewhere: ReadonlySet<number>) => Prepared) => {
  const remembered = new Map<string, Prepared>()
  return (bound, elsewhere) => {
    const key = `${[...bound].flat().join()} ${[...elsewhere].join()}`
    const prepared = remembered.get(key) ?? { layout: layout(plan, bound, elsewhere), ...wordsOf(plan, bound) }
    remembered.delete(key)
    remembered.set(key, prepared)
    const [oldest] = remembered.keys()
    if (remembered.size > mostRemembered && oldest !== undefined) remembered.delete(oldest)
    return prepared
  }
}
