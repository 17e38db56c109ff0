import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import type { Key } from '../dsl/index.js'
import { type DecoderConfig, type DecoderSpecs, decoderSpecs, logits } from '../models/index.js'
import type { AdamWSettings } from './adamw.js'
import type { TrainError } from './errors.js'
import { type Batch, type Learner, loadLearner } from './learner.js'
import { type Lessons, lessonBatches, type TeachingStage, teachingSteps } from './lessons.js'
import { sequenceSpecs, supervisedLoss } from './losses.js'
import { linearDecay } from './schedules.js'
import { nextTokens } from './sequences.js'
import type { Learning } from './step-program.js'

/** How a policy is taught by an oracle. */
export interface SupervisedSettings<S> {
  /** One after the other. Their tasks have one vocabulary. */
  readonly stages: readonly TeachingStage<S>[]
  /** Lessons a step. */
  readonly rows: number
  readonly learningRate: number
  /** Over which share of all steps, the last ones, the learning rate falls in a line to 0. */
  readonly decay: number
  readonly optimizer: AdamWSettings
  /** The greatest global norm of a gradient. */
  readonly maxNorm: number
}

type Sequences = typeof sequenceSpecs

/** What a step's report says besides. */
export interface TaughtTokens {
  /** Tokens that were taught. */
  readonly tokens: number
}

/** A warm start that is ready. */
export interface Supervised {
  readonly steps: number
  readonly learner: Learner<DecoderSpecs, Sequences>
  /** What the steps after the first so many are given; the same as if none were left out. */
  readonly batches: (from: number) => AsyncGenerator<E.Either<TrainError, Batch<Sequences, TaughtTokens>>>
}

const batchOf = ({ lessons, padId }: Lessons): Batch<Sequences, TaughtTokens> => ({
  given: nextTokens(
    lessons.map(({ context, response, taught }) => ({ prompt: context, answer: response, answerMask: taught })),
    padId,
  ),
  about: { tokens: lessons.reduce((sum, { taught }) => sum + taught.filter(Boolean).length, 0) },
})

async function* batches<S>({ stages, rows }: SupervisedSettings<S>, key: Key, from: number): ReturnType<Supervised['batches']> {
  for await (const lessons of lessonBatches(stages, { rows, key, from })) yield pipe(lessons, E.map(batchOf))
}

/**
 * Make a warm start ready on a device: a policy learns to say what an oracle says, by maximum likelihood with AdamW. The same key and settings
 * give the same lessons, wherever it begins.
 */
export const loadSupervised =
  (device: Device, config: DecoderConfig) =>
  <S>(settings: SupervisedSettings<S>, key: Key): TE.TaskEither<TrainError, Supervised> => {
    const { stages, optimizer, maxNorm } = settings
    const loss = supervisedLoss(logits(config))
    const learning: Learning<DecoderSpecs, Sequences> = {
      ...{ name: 'supervised', parameters: decoderSpecs(config), batch: sequenceSpecs },
      ...{ loss, optimizer, maxNorm },
    }
    const steps = teachingSteps(stages)
    return pipe(
      loadLearner(device)(learning, linearDecay({ ...settings, steps })),
      TE.map((learner) => ({ steps, learner, batches: (from) => batches(settings, key, from) })),
    )
  }
