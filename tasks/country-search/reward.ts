import type { Reward } from '../environment.js'
import { endOf, type SearchState } from './episode.js'
import { answerOf } from './objectives.js'
import type { RewardWeights } from './settings.js'

/** The values answered at the end; undefined where there was no answer. */
export const answered = ({ turns }: SearchState): readonly number[] | undefined => {
  const action = turns.at(-1)?.said?.action
  return action?.tag === 'answer' ? action.values : undefined
}

/** Each objective's share of right answers, of as many answers as there are objectives. */
const fractionOf = (state: SearchState): number => {
  const { objectives } = state.question
  const values = answered(state)
  if (values?.length !== objectives.length || objectives.length === 0) return 0
  return objectives.filter((objective, k) => answerOf(objective) === values[k]).length / objectives.length
}

/** The reward of an episode and its parts; all are 0 where a turn was malformed. */
export const rewardOf =
  (weights: RewardWeights) =>
  (state: SearchState): Reward => {
    const fraction = fractionOf(state)
    const parts = { exact: fraction === 1 ? 1 : 0, fraction, format: endOf(state) === 'malformed' ? 0 : 1 }
    return { value: weights.exact * parts.exact + weights.fraction * parts.fraction + weights.format * parts.format, parts }
  }
