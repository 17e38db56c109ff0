import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { gae, type GaeSettings, groupAdvantages, type GroupSettings, klPrice, whiten, type WhitenSettings } from '../../algorithms/index.js'
import type { Device } from '../../backends/backend.js'
import { bool, f32, type HostTensor, i32, program, where } from '../../dsl/index.js'
import type { TrainError } from '../errors.js'
import { load, run } from '../load.js'
import { answerValues, nextTokens } from '../sequences.js'
import type { PackedSequence } from '../packed.js'

/** One number for each of a list, and which of them are of one group. */
export type GroupEstimate = (rewards: readonly number[], groups: readonly number[]) => TE.TaskEither<TrainError, readonly number[]>

const row = (data: readonly number[]) => ({ sizes: [data.length], data })

/** Advantages of rewards that are compared within their groups. */
export const loadGroupEstimate = (device: Device, settings: GroupSettings): TE.TaskEither<TrainError, GroupEstimate> =>
  pipe(
    load(device)('advantages', () =>
      program({
        inputs: { rewards: f32('batch'), group: i32('batch') },
        body: ({ rewards, group }) => ({ outputs: { advantages: groupAdvantages(settings)(rewards, group) } }),
      }),
    ),
    TE.map(
      (loaded) => (rewards, groups) =>
        pipe(
          run('advantages', loaded, { rewards: row(rewards), group: row(groups) }),
          TE.map(({ advantages }) => [...advantages.data]),
        ),
    ),
  )

/** Rows of numbers, one for each token of a sequence's answer. */
export type Columns = readonly (readonly number[])[]

type Sequences = readonly Pick<PackedSequence, 'prompt' | 'answer' | 'answerMask'>[]

/** The numbers of each row at the places where its answer's tokens are targets. */
export const atAnswers = ({ sizes: [, width = 0], data }: HostTensor, sequences: Sequences): Columns =>
  sequences.map(({ prompt, answer }, i) => answer.map((_, j) => data[i * width + prompt.length - 1 + j] ?? NaN))

export interface CriticSettings {
  readonly gae: GaeSettings
  readonly whitening: WhitenSettings
}

/** Advantages and returns of each token, by a critic's values. A row is an episode of its own. */
export type CriticEstimate = (
  sequences: Sequences,
  rewards: Columns,
  values: Columns,
) => TE.TaskEither<TrainError, { readonly advantages: Columns; readonly returns: Columns }>

export const loadCriticEstimate = (device: Device, settings: CriticSettings, padId: number): TE.TaskEither<TrainError, CriticEstimate> =>
  pipe(
    load(device)('critic advantages', () =>
      program({
        inputs: { rewards: f32('batch', 'time'), values: f32('batch', 'time'), responseMask: bool('batch', 'time') },
        body: (batch) => {
          const { advantages, returns } = gae(settings.gae)(batch)
          const whitened = pipe(advantages, where(batch.responseMask), whiten(settings.whitening)(batch.responseMask))
          return { outputs: { advantages: whitened, returns } }
        },
      }),
    ),
    TE.map((loaded) => (sequences, rewards, values) => {
      const { responseMask } = nextTokens(sequences, padId)
      return pipe(
        run('critic advantages', loaded, {
          rewards: answerValues(sequences, rewards),
          values: answerValues(sequences, values),
          responseMask,
        }),
        TE.map(({ advantages, returns }) => ({
          advantages: atAnswers(advantages, sequences),
          returns: atAnswers(returns, sequences),
        })),
      )
    }),
  )

/** β·KL of each token, in the units of the reward. */
export type Price = (sequences: Sequences, logProbs: Columns, refLogProbs: Columns) => TE.TaskEither<TrainError, Columns>

export const loadPrice = (device: Device, beta: number, padId: number): TE.TaskEither<TrainError, Price> =>
  pipe(
    load(device)('KL price', () =>
      program({
        inputs: { logProbs: f32('batch', 'time'), refLogProbs: f32('batch', 'time'), responseMask: bool('batch', 'time') },
        body: (batch) => ({ outputs: { price: klPrice({ beta })(batch) } }),
      }),
    ),
    TE.map(
      (loaded) => (sequences, logProbs, refLogProbs) =>
        pipe(
          run('KL price', loaded, {
            logProbs: answerValues(sequences, logProbs),
            refLogProbs: answerValues(sequences, refLogProbs),
            responseMask: nextTokens(sequences, padId).responseMask,
          }),
          TE.map(({ price }) => atAnswers(price, sequences)),
        ),
    ),
  )
