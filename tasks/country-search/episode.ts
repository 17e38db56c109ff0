import type { Base } from './base.js'
import type { Fact } from './facts.js'
import { permuted } from './order.js'
import type { Question } from './questions.js'
import type { SearchSettings } from './settings.js'
import { read, type Said } from './turn.js'

export interface Turn {
  readonly response: readonly number[]
  /** The response read; absent where it is malformed. */
  readonly said: Said | undefined
  /** What its search found, in the order shown. */
  readonly found: readonly Fact[]
}

export interface SearchState {
  readonly question: Question
  readonly turns: readonly Turn[]
}

/** How an episode ended: by an answer, by a response that is none, or because the turns ran out. */
export type End = 'answered' | 'malformed' | 'outOfTurns'

/** Undefined while it goes on. */
export const endOf = ({ question, turns }: SearchState): End | undefined => {
  const last = turns.at(-1)
  if (last === undefined) return undefined
  if (last.said === undefined) return 'malformed'
  if (last.said.action.tag === 'answer') return 'answered'
  return turns.length >= question.turns ? 'outOfTurns' : undefined
}

/** What the search of this turn shows: the best facts, in an order of the turn's own, or to copy the first would be to know. */
const search = ({ facts, search: find }: Base, results: number, { question, turns }: SearchState, said: Said): readonly Fact[] => {
  if (said.action.tag !== 'search') return []
  const best = find(said.action.relation, said.action.name).slice(0, results)
  return permuted(
    best.flatMap((at) => facts[at] ?? []),
    question.orders[turns.length] ?? 0,
  )
}

/** The state after a response. Of an episode that is over, itself; a response that is longer than it may be is malformed. */
export const actIn = (base: Base, { context, results }: SearchSettings, maxTokens: number) => {
  const reading = read(base.vocabulary, context)
  return (state: SearchState, response: readonly number[]): SearchState => {
    if (endOf(state) !== undefined) return state
    const said = response.length > maxTokens ? undefined : reading(response)
    const found = said === undefined ? [] : search(base, results, state, said)
    return { question: state.question, turns: [...state.turns, { response, said, found }] }
  }
}
