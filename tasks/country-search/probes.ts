import type { MemoryProbe, Probe, ProbedAnswer } from '../environment.js'
import { history } from './context.js'
import { endOf, type SearchState } from './episode.js'
import { readNotes } from './notes.js'
import { isSameFact } from './facts.js'
import { answerOf, type Objective } from './objectives.js'
import { answered } from './reward.js'
import type { Vocabulary } from './vocabulary.js'
import { left, question, span, values } from './write.js'

interface Answer {
  readonly values: readonly number[]
  /** Whether the value at a place is its objective's. */
  readonly isRight: (k: number) => boolean
}

/** The answer that is asked for; undefined of an episode that gave none. */
const asks = {
  gold: ({ question: { objectives } }: SearchState) => objectives.map(answerOf),
  generated: answered,
} satisfies { readonly [A in ProbedAnswer]: (state: SearchState) => readonly number[] | undefined }

const isEven = (_: unknown, i: number): boolean => i % 2 === 0

/** `<think> done </think> <answer> value ; value ; </answer>`, the tag that opens the answer being the last thing given. */
const probe = (vocabulary: Vocabulary, before: readonly number[], answer: readonly number[], known: (k: number) => boolean): Probe => {
  const said = [...values(vocabulary, answer), vocabulary.close.answer]
  const isValue = said.map((id, i) => isEven(id, i) && i < said.length - 1)
  return {
    context: [...before, ...span(vocabulary, 'think', [vocabulary.word.done]), vocabulary.open.answer],
    answer: said,
    scored: isValue,
    known: isValue.map((scored, i) => scored && known(i / 2)),
  }
}

/** Whether the fact that answers an objective was found before a turn. */
const wasFound = ({ turns }: SearchState, turn: number, { path }: Objective): boolean =>
  turns.slice(0, turn).some(({ found }) => found.some((fact) => isSameFact(fact, path.at(-1)!)))

/** `<q> … </q> left 1` and a turn's memory. A right value is known where the memory notes it as its objective's. */
const givenMemory = (
  vocabulary: Vocabulary,
  { question: { objectives } }: SearchState,
  memory: readonly number[],
  answer: Answer,
): Probe => {
  const notes = readNotes(vocabulary, objectives.length, memory)
  const before = [...question(vocabulary, objectives), ...left(vocabulary, 1), ...span(vocabulary, 'mem', memory)]
  return probe(
    vocabulary,
    before,
    answer.values,
    (k) => answer.isRight(k) && notes.get(k)?.tag === 'is' && notes.get(k)?.name === answer.values[k],
  )
}

/** The question, every search before a turn with what it found, and `left 1`. A right value is known where its fact was found. */
const givenHistory = (vocabulary: Vocabulary, state: SearchState, turn: number, answer: Answer): Probe => {
  const before = [...history(vocabulary, { ...state, turns: state.turns.slice(0, turn) }), ...left(vocabulary, 1)]
  return probe(vocabulary, before, answer.values, (k) => answer.isRight(k) && wasFound(state, turn, state.question.objectives[k]!))
}

/** For each well-formed turn after the first, the answer after that turn's memory alone, and after the history that it stands for. */
export const memoryProbesOf =
  (vocabulary: Vocabulary) =>
  (state: SearchState, which: ProbedAnswer): readonly MemoryProbe[] => {
    const given = asks[which](state)
    if (given === undefined || endOf(state) === undefined) return []
    const gold = asks.gold(state)
    const answer: Answer = { values: given, isRight: (k) => k < gold.length && given[k] === gold[k] }
    return state.turns.flatMap(({ said }, turn) =>
      turn === 0 || said === undefined
        ? []
        : { turn, memory: givenMemory(vocabulary, state, said.memory, answer), history: givenHistory(vocabulary, state, turn, answer) },
    )
  }
