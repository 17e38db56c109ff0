import type { Draw } from '../environment.js'
import type { SearchState, Turn } from './episode.js'
import type { Fact } from './facts.js'
import type { Habits } from './habits.js'
import { isSought, type Note, noteOf, type Notes, readNotes, searchesFor, type Step, stepTowards, written } from './notes.js'
import type { Objective } from './objectives.js'
import { uniform } from './questions.js'
import type { ContextKind } from './settings.js'
import type { Action } from './turn.js'
import type { Vocabulary } from './vocabulary.js'
import { span, thought } from './write.js'

/** The draws of a turn by what they decide; from `reading` on, two for each fact that is read. */
const draws = { forget: 0, wrongRelation: 1, whichRelation: 2, reading: 3 }

/** One of a list that is not the right one, or the right one where there is no other. */
const another = <T>(list: readonly T[], right: T, draw: Draw, i: number): T => {
  const others = list.filter((one) => one !== right)
  return others.length === 0 ? right : (others[draw(i, others.length)] ?? right)
}

interface Oracle {
  readonly vocabulary: Vocabulary
  readonly habits: Habits
  readonly draw: Draw
}

/** What a step reads off the facts found, right or wrong; undefined where the fact it seeks is not among them. */
const reading = ({ habits, draw }: Oracle, step: Step, found: readonly Fact[], nth: number): Note | undefined => {
  const right = found.find((fact) => isSought(step, fact))
  if (right === undefined) return undefined
  const at = draws.reading + 2 * nth
  return noteOf(step.reads, uniform(draw, at) < habits.wrongDoc ? another(found, right, draw, at + 1) : right)
}

/** The last memory, with what the last search found for the first objective that it was a step towards. What it did not find is unlearnt. */
const fromMemory = (oracle: Oracle, objectives: readonly Objective[], last: Turn | undefined): Notes => {
  if (last?.said === undefined) return new Map()
  const { memory, action } = last.said
  const notes = readNotes(oracle.vocabulary, objectives.length, memory)
  for (const [k, objective] of objectives.entries()) {
    const step = stepTowards(objective, notes.get(k))
    if (step === undefined || !searchesFor(step, action)) continue
    const note = reading(oracle, step, last.found, 0)
    if (note === undefined) return new Map([...notes].filter(([place]) => place !== k))
    return uniform(oracle.draw, draws.forget) < oracle.habits.forget ? new Map([[k, note]]) : new Map([...notes, [k, note]])
  }
  return notes
}

/** Everything that the searches so far say of the objectives. */
const fromHistory = (oracle: Oracle, objectives: readonly Objective[], turns: readonly Turn[]): Notes => {
  const notes = new Map<number, Note>()
  let nth = 0
  for (const [k, objective] of objectives.entries())
    for (let step = stepTowards(objective, undefined); step !== undefined; step = stepTowards(objective, notes.get(k))) {
      const sought = step
      const turn = turns.find(({ said }) => said !== undefined && searchesFor(sought, said.action))
      const note = turn && reading(oracle, step, turn.found, nth++)
      if (note === undefined) break
      notes.set(k, note)
    }
  return notes
}

/** The search for a step, or by habit for another relation. */
const searching = ({ vocabulary, habits, draw }: Oracle, { relation, name }: Step): Action => {
  const isWrong = uniform(draw, draws.wrongRelation) < habits.wrongRelation
  return { tag: 'search', relation: isWrong ? another([...vocabulary.relations], relation, draw, draws.whichRelation) : relation, name }
}

/** What to do with what one knows: search for the first thing that is missing, or answer, at the last turn with `none` for what is missing. */
const next = (oracle: Oracle, { question: { objectives, turns }, turns: past }: SearchState, notes: Notes) => {
  const { count, word } = oracle.vocabulary
  const steps = objectives.map((objective, k) => stepTowards(objective, notes.get(k)))
  const missing = steps.findIndex((step) => step !== undefined)
  const step = steps[missing]
  if (step !== undefined && past.length + 1 < turns) return { think: [count(missing + 1)], action: searching(oracle, step) }
  const values = objectives.map((_, k) => (notes.get(k)?.tag === 'is' ? (notes.get(k)?.name ?? word.none) : word.none))
  return { think: [word.done], action: { tag: 'answer', values } as const }
}

/**
 * What somebody says who knows how to search, and knows no more than the context shows: with no bad habits, an answer to every question
 * within its turns.
 */
export const oracleOf =
  (vocabulary: Vocabulary, context: ContextKind, habits: Habits) =>
  (state: SearchState, draw: Draw): readonly number[] => {
    const oracle = { vocabulary, habits, draw }
    const { objectives } = state.question
    const notes = context === 'memory' ? fromMemory(oracle, objectives, state.turns.at(-1)) : fromHistory(oracle, objectives, state.turns)
    const memory = context === 'memory' ? span(vocabulary, 'mem', written(vocabulary, notes)) : []
    return [...memory, ...thought(vocabulary, next(oracle, state, notes))]
  }
