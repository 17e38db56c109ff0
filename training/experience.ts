import type { GivenFor, Value } from '../dsl/index.js'
import type { sampledSpecs } from './losses.js'
import type { Answer } from './rollout.js'
import { answerValues, nextTokens, type Sequence } from './sequences.js'

/** Answers that a policy gave, several in a row to each prompt, and what each earned. */
export interface Experience {
  readonly prompts: readonly (readonly number[])[]
  readonly answers: readonly Answer[]
  readonly rewards: readonly number[]
  /** How many rows in a row answer one prompt. */
  readonly groupSize: number
  readonly padId: number
  /**
   * Whose log-probabilities are the old ones. `policy` unless given: the policy's at temperature 1, as `policyLoss` scores, so that the
   * ratio starts at 1 whatever the temperature was. `sampling`: of the distribution that was drawn from, so that the ratio is the
   * importance weight of a sample; away from temperature 1 it starts off 1, and clipping sees that.
   */
  readonly oldLogProbs?: OldLogProbs
}

export type OldLogProbs = 'policy' | 'sampling'

const logProbsOf: { readonly [O in OldLogProbs]: (answer: Answer) => readonly number[] } = {
  policy: ({ logProbs }) => logProbs,
  sampling: ({ samplingLogProbs }) => samplingLogProbs,
}

const perRow = (data: readonly number[]): Value => ({ sizes: [data.length], data })

/** Experience as a policy-gradient step is given it. A row is a prompt with its answer, padded behind. */
export const sampledBatch = (experience: Experience): GivenFor<typeof sampledSpecs> => {
  const { prompts, answers, rewards, groupSize, padId, oldLogProbs = 'policy' } = experience
  const sequences = prompts.map((prompt, row): Sequence => ({ prompt, answer: answers[row]?.ids ?? [] }))
  return {
    ...nextTokens(sequences, padId),
    oldLogProbs: answerValues(sequences, answers.map(logProbsOf[oldLogProbs])),
    rewards: perRow(rewards),
    group: perRow(rewards.map((_, row) => Math.floor(row / groupSize))),
  }
}
