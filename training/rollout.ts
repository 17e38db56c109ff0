import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type HostTensor, type Key, random } from '../dsl/index.js'
import type { TrainError } from './errors.js'
import type { Policy } from './policy.js'
import { type Drawn, drawToken } from './sampling.js'
import { int32Rows } from './sequences.js'

/** How answers are drawn. */
export interface SamplingSettings {
  /** Of an answer, its stop token included. */
  readonly maxTokens: number
  /** The token that ends an answer. */
  readonly stopId: number
  /** The logits are divided by it before a token is drawn; 0 takes the most likely token. */
  readonly temperature: number
  /** Serves these answers alone. The same key, prompts and parameters give the same answers. */
  readonly key: Key
}

/** What a policy said after a prompt: up to and with its stop token, or as far as it was let. */
export interface Answer {
  readonly ids: readonly number[]
  /** log π of each id, in nats, of the policy at temperature 1: what a loss scores. */
  readonly logProbs: readonly number[]
  /** log μ of each id, in nats, at the temperature that it was drawn with; at temperature 0 all are 0. */
  readonly samplingLogProbs: readonly number[]
}

const rowOf = ({ sizes: [, width = 0], data }: HostTensor, row: number): ArrayLike<number> => data.slice(row * width, (row + 1) * width)

const silence: Answer = { ids: [], logProbs: [], samplingLogProbs: [] }

const extended = ({ ids, logProbs, samplingLogProbs }: Answer, { id, logProb, samplingLogProb }: Drawn): Answer => ({
  ids: [...ids, id],
  logProbs: [...logProbs, logProb],
  samplingLogProbs: [...samplingLogProbs, samplingLogProb],
})

/** Answers to prompts of one length. All rows advance together; one that has stopped is fed its stop token, unread. */
export const sampleAnswers =
  (policy: Policy, { maxTokens, stopId, temperature, key }: SamplingSettings) =>
  (prompts: readonly (readonly number[])[]): TE.TaskEither<TrainError, readonly Answer[]> =>
  async () => {
    const hasStopped = ({ ids }: Answer): boolean => ids.at(-1) === stopId
    let answers: readonly Answer[] = prompts.map(() => silence)
    for (let place = 0; place < maxTokens && !answers.every(hasStopped); place++) {
      const said = answers.map(({ ids }) => Array.from({ length: place }, (_, i) => ids[i] ?? stopId))
      const tokens = prompts.map((prompt, row) => [...prompt, ...(said[row] ?? [])])
      const made = await policy(int32Rows(tokens))()
      if (E.isLeft(made)) return made
      const draws = random.fold(key, place)
      answers = answers.map((answer, row) =>
        hasStopped(answer) ? answer : extended(answer, drawToken(rowOf(made.right, row), temperature, random.uniform(draws, row))),
      )
    }
    return E.right(answers)
  }
