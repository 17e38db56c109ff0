import type { GivenFor, Value } from '../dsl/index.js'
import type { sampledSpecs } from './losses.js'
import type { RolloutResult } from './rollout-result.js'
import { answerValues, nextTokens } from './sequences.js'

const perRow = (data: readonly number[]): Value => ({ sizes: [data.length], data })

/** Groups by number, counted from 0 in the order in which they come. */
const numbered = (groups: readonly string[]): readonly number[] => {
  const numbers = new Map<string, number>()
  return groups.map((group) => {
    const number = numbers.get(group) ?? numbers.size
    numbers.set(group, number)
    return number
  })
}

/**
 * Rollouts as a policy-gradient step is given them. A row is a prompt with its response, padded behind; what a tool wrote is read by the
 * policy and not in the response mask. The old log-probabilities are those of the rollouts.
 */
export const rolloutBatch =
  (padId: number) =>
  (rollouts: RolloutResult): GivenFor<typeof sampledSpecs> => {
    const sequences = rollouts.map(({ prompt, response, responseMask }) => ({ prompt, answer: response, answerMask: responseMask }))
    const logProbs = rollouts.map(({ logProbs }) => logProbs.map((x) => x ?? 0))
    return {
      ...nextTokens(sequences, padId),
      oldLogProbs: answerValues(sequences, logProbs),
      rewards: perRow(rollouts.map(({ reward }) => reward)),
      group: perRow(numbered(rollouts.map(({ group }) => group))),
    }
  }
