import type { Fact } from './facts.js'
import { asked, type Objective } from './objectives.js'
import type { Action, Said } from './turn.js'
import type { SpanName, Vocabulary } from './vocabulary.js'

/** Words between a span's tags. */
export const span = ({ open, close }: Vocabulary, name: SpanName, inside: readonly number[]): readonly number[] => [
  open[name],
  ...inside,
  close[name],
]

/** `<q> 1 government of capital Vilnius ; 2 currency of Oman ; </q>` */
export const question = (vocabulary: Vocabulary, objectives: readonly Objective[]): readonly number[] => {
  const items = objectives.flatMap((objective, k) => [vocabulary.count(k + 1), ...asked(objective, vocabulary), vocabulary.word[';']])
  return span(vocabulary, 'q', items)
}

/** `<info> Lithuania dish Cepelinai ; … </info>` */
export const info = (vocabulary: Vocabulary, facts: readonly Fact[]): readonly number[] =>
  span(
    vocabulary,
    'info',
    facts.flatMap(({ entity, relation, value }) => [entity, relation, value, vocabulary.word[';']]),
  )

/** `value ; value ;` */
export const values = ({ word }: Vocabulary, ids: readonly number[]): readonly number[] => ids.flatMap((id) => [id, word[';']])

export const action = (vocabulary: Vocabulary, said: Action): readonly number[] =>
  said.tag === 'search'
    ? span(vocabulary, 'search', [said.relation, said.name])
    : span(vocabulary, 'answer', values(vocabulary, said.values))

/** `<think> 2 </think> <search> currency Oman </search>`: what a turn says besides its memory. */
export const thought = (vocabulary: Vocabulary, { think, action: act }: Omit<Said, 'memory'>): readonly number[] => [
  ...span(vocabulary, 'think', think),
  ...action(vocabulary, act),
]

/** `left 5` */
export const left = ({ word, count }: Vocabulary, turns: number): readonly number[] => [word.left, count(turns)]
