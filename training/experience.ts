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
}

const perRow = (data: readonly number[]): Value => ({ sizes: [data.length], data })

/** Experience as a policy-gradient step is given it. The policy that answered is the reference, too. */
export const sampledBatch = ({ prompts, answers, rewards, groupSize, padId }: Experience): GivenFor<typeof sampledSpecs> => {
  const sequences = prompts.map((prompt, row): Sequence => ({ prompt, answer: answers[row]?.ids ?? [] }))
  const logProbs = answerValues(
    sequences,
    answers.map((answer) => answer.logProbs),
  )
  return {
    ...nextTokens(sequences, padId),
    oldLogProbs: logProbs,
    refLogProbs: logProbs,
    rewards: perRow(rewards),
    group: perRow(rewards.map((_, row) => Math.floor(row / groupSize))),
  }
}
