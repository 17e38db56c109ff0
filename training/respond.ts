import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import { type HostTensor, type Key, random, type SpecTree, type TensorsOf } from '../dsl/index.js'
import type { TrainError } from './errors.js'
import type { HeldFor } from './held.js'
import { loadPolicy, type NextLogits, type PolicyOf } from './policy.js'
import type { Answer } from './rollout.js'
import { drawToken } from './sampling.js'
import { int32Rows } from './sequences.js'

/** How contexts are answered. */
export interface RespondSettings {
  /** Of an answer, its stop token included. */
  readonly maxTokens: number
  /** The tokens that end an answer. */
  readonly stopIds: readonly number[]
  /** The logits are divided by it before a token is drawn; 0 takes the most likely token. */
  readonly temperature: number
  /** Serves these answers alone. */
  readonly key: Key
}

type Contexts = readonly (readonly number[])[]

/** Answers to contexts of any lengths. What a row is answered depends on its own context and its place in the list alone. */
export type Respond<P> = (params: HeldFor<P>, contexts: Contexts, settings: RespondSettings) => TE.TaskEither<TrainError, readonly Answer[]>

const rowOf = ({ sizes: [, width = 0], data }: HostTensor, row: number): ArrayLike<number> => data.slice(row * width, (row + 1) * width)

/** Rows whose contexts are equally long. */
const byLength = (contexts: Contexts): readonly (readonly number[])[] => {
  const rows = new Map<number, number[]>()
  contexts.forEach(({ length }, row) => rows.set(length, [...(rows.get(length) ?? []), row]))
  return [...rows.values()]
}

const respondWith =
  <P>(policyOf: PolicyOf<P>): Respond<P> =>
  (params, contexts, { maxTokens, stopIds, temperature, key }) =>
  async () => {
    const answers = contexts.map(() => ({ ids: [] as number[], logProbs: [] as number[], samplingLogProbs: [] as number[] }))
    const policy = policyOf(params)
    for (const rows of byLength(contexts)) {
      let alive = rows
      for (let place = 0; place < maxTokens && alive.length > 0; place++) {
        const made = await policy(int32Rows(alive.map((row) => [...contexts[row]!, ...answers[row]!.ids])))()
        if (E.isLeft(made)) return made
        alive.forEach((row, i) => {
          const drawn = drawToken(rowOf(made.right, i), temperature, random.uniform(random.fold(key, row), place))
          answers[row]!.ids.push(drawn.id)
          answers[row]!.logProbs.push(drawn.logProb)
          answers[row]!.samplingLogProbs.push(drawn.samplingLogProb)
        })
        alive = alive.filter((row) => !stopIds.includes(answers[row]!.ids.at(-1)!))
      }
    }
    return E.right(answers)
  }

/** Make a policy ready to answer on a device. */
export const loadRespond =
  (device: Device) =>
  <P extends SpecTree>(parameters: P, nextLogits: NextLogits<TensorsOf<P>>): TE.TaskEither<TrainError, Respond<P>> =>
    pipe(
      loadPolicy(device)(parameters, nextLogits),
      TE.map((policyOf) => respondWith<P>(policyOf)),
    )
