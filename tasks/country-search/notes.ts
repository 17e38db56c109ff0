import type { Fact } from './facts.js'
import type { Objective } from './objectives.js'
import type { Action } from './turn.js'
import type { Vocabulary } from './vocabulary.js'

/** What one knows of an objective: which subject it is about, or its answer. */
export interface Note {
  readonly tag: 'via' | 'is'
  readonly name: number
}

/** Notes by the place of their objective in the question. */
export type Notes = ReadonlyMap<number, Note>

/** What to search for next, and what to read off the fact that it finds. */
export interface Step {
  readonly relation: number
  readonly name: number
  readonly reads: 'via' | 'is'
}

/** The next step towards an objective; undefined where its answer is known. */
export const stepTowards = ({ relation, bridge, name }: Objective, note: Note | undefined): Step | undefined => {
  if (note?.tag === 'is') return undefined
  if (note?.tag === 'via') return { relation, name: note.name, reads: 'is' }
  return bridge === undefined ? { relation, name, reads: 'is' } : { relation: bridge, name, reads: 'via' }
}

export const searchesFor = ({ relation, name }: Step, action: Action): boolean =>
  action.tag === 'search' && action.relation === relation && action.name === name

/** What a fact says where one step reads its subject and another its value. */
export const noteOf = (reads: Note['tag'], { entity, value }: Fact): Note => ({ tag: reads, name: reads === 'via' ? entity : value })

/** Whether a fact is the one that a step searches for. */
export const isSought = ({ relation, name, reads }: Step, fact: Fact): boolean =>
  fact.relation === relation && (reads === 'via' ? fact.value : fact.entity) === name

/** `1 via Lithuania ; 2 is Omani Rial ;`, or `none`. */
export const written = ({ word, count }: Vocabulary, notes: Notes): readonly number[] =>
  notes.size === 0
    ? [word.none]
    : [...notes].toSorted(([i], [j]) => i - j).flatMap(([k, { tag, name }]) => [count(k + 1), word[tag], name, word[';']])

/** The notes that a memory holds, as far as it is written as `written` does. */
export const readNotes = ({ word, count }: Vocabulary, objectives: number, memory: readonly number[]): Notes => {
  const places = new Map(Array.from({ length: objectives }, (_, k) => [count(k + 1), k]))
  const tags = new Map<number | undefined, Note['tag']>([[word.via, 'via'], [word.is, 'is']]) // prettier-ignore
  const notes = new Map<number, Note>()
  for (let at = 0; at + 3 < memory.length; at += 4) {
    const [place, tag, name] = [places.get(memory[at]!), tags.get(memory[at + 1]), memory[at + 2]]
    if (place !== undefined && tag !== undefined && name !== undefined) notes.set(place, { tag, name })
  }
  return notes
}
