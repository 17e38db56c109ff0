import type { GivenFor } from '../dsl/index.js'
import type { sampledSpecs } from './losses.js'
import type { Answer } from './rollout.js'
import { rolloutBatch } from './rollout-batch.js'
import type { RolloutResult } from './rollout-result.js'

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

/** What was experienced as rollouts, with the log-probabilities that are to be the old ones. */
export const rolloutsOf = ({ prompts, answers, rewards, groupSize, oldLogProbs = 'policy' }: Experience): RolloutResult =>
  answers.map((answer, row) => ({
    group: String(Math.floor(row / groupSize)),
    prompt: prompts[row] ?? [],
    response: answer.ids,
    responseMask: answer.ids.map(() => true),
    logProbs: logProbsOf[oldLogProbs](answer),
    reward: rewards[row] ?? NaN,
  }))

/** Experience as a policy-gradient step is given it: see `rolloutBatch`. */
export const sampledBatch = (experience: Experience): GivenFor<typeof sampledSpecs> =>
  rolloutBatch(experience.padId)(rolloutsOf(experience))
