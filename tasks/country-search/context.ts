import { endOf, type SearchState, type Turn } from './episode.js'
import type { ContextKind } from './settings.js'
import type { Vocabulary } from './vocabulary.js'
import { action, info, left, question, span, thought } from './write.js'

type Write = (vocabulary: Vocabulary, state: SearchState) => readonly number[]

/** The last search and what it found. */
const searched = (vocabulary: Vocabulary, { said, found }: Turn): readonly number[] =>
  said === undefined ? [] : [...action(vocabulary, said.action), ...info(vocabulary, found)]

const remembered = (vocabulary: Vocabulary, { said }: Turn): readonly number[] =>
  said === undefined ? [] : span(vocabulary, 'mem', said.memory)

const turnsLeft = (vocabulary: Vocabulary, { question: { turns } }: SearchState, turn: number): readonly number[] =>
  left(vocabulary, turns - turn)

/** What the policy reads before its next turn. */
const contexts: { readonly [C in ContextKind]: Write } = {
  memory: (vocabulary, state) => [
    ...question(vocabulary, state.question.objectives),
    ...state.turns.slice(-1).flatMap((turn) => [...remembered(vocabulary, turn), ...searched(vocabulary, turn)]),
    ...turnsLeft(vocabulary, state, state.turns.length),
  ],
  full: (vocabulary, state) => [
    ...question(vocabulary, state.question.objectives),
    ...turnsLeft(vocabulary, state, 0),
    ...state.turns.flatMap(({ said, found }, t) =>
      said === undefined ? [] : [...thought(vocabulary, said), ...info(vocabulary, found), ...turnsLeft(vocabulary, state, t + 1)],
    ),
  ],
}

/** The context of an episode that goes on; none of one that is over. */
export const contextOf =
  (vocabulary: Vocabulary, kind: ContextKind) =>
  (state: SearchState): readonly number[] =>
    endOf(state) === undefined ? contexts[kind](vocabulary, state) : []

/** The question, and every search so far with what it found: all that a memory may have been made of. */
export const history: Write = (vocabulary, { question: { objectives }, turns }) => [
  ...question(vocabulary, objectives),
  ...turns.flatMap((turn) => searched(vocabulary, turn)),
]
