import { contextOf } from './context.js'
import { endOf, type SearchState } from './episode.js'
import { answerOf } from './objectives.js'
import { rewardOf } from './reward.js'
import type { SearchSettings } from './settings.js'
import type { Vocabulary } from './vocabulary.js'

const outcomes = {
  answered: 'answered',
  malformed: 'ended by a malformed turn',
  outOfTurns: 'out of turns',
} as const

/** What was read and what was said at each turn, the right answer, and the reward. */
export const renderOf =
  (vocabulary: Vocabulary, { context, reward }: SearchSettings) =>
  (state: SearchState): string => {
    const { question, turns } = state
    const read = contextOf(vocabulary, context)
    const end = endOf(state)
    const { value, parts } = rewardOf(reward)(state)
    return [
      ...turns.flatMap(({ response }, t) => [
        `turn ${String(t + 1)} of ${String(question.turns)}`,
        `  reads  ${vocabulary.decode(read({ question, turns: turns.slice(0, t) }))}`,
        `  says   ${vocabulary.decode(response)}`,
      ]),
      `right   ${vocabulary.decode(question.objectives.map(answerOf).flatMap((id) => [id, vocabulary.word[';']]))}`,
      `reward  ${String(value)}   ${Object.entries(parts).map(([name, part]) => `${name} ${part.toFixed(2)}`).join('   ')}   ${end === undefined ? 'goes on' : outcomes[end]}`, // prettier-ignore
    ].join('\n')
  }
