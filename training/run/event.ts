import type * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TrainError } from '../errors.js'
import type { Report } from '../learner.js'
import type { StepMetrics } from '../metrics/index.js'
import type { Reinforced } from '../reinforcement/index.js'
import type { PairCount } from '../reward-model/index.js'
import type { TaughtTokens } from '../supervised.js'
import type { Evaluation, Progress } from './progress.js'
import type { Snapshot } from './snapshot.js'

/** Where a life is. */
export type At = Pick<Progress, 'step' | 'stage' | 'updates' | 'evaluations'>

interface Step {
  /** Counted from 1 through all stages. */
  readonly step: number
  /** Counted from 1 within its stage. */
  readonly ofStage: number
  readonly seconds: number
}

/** A step of one of the stages. */
export type StepEvent<S> =
  | (Step & { readonly tag: 'taught'; readonly report: Report<TaughtTokens> })
  /** A step of the model of rewards; without a report where all answers to each problem earned the same, so that there was no pair. */
  | (Step & { readonly tag: 'compared'; readonly report?: Report<PairCount> })
  | (Step & { readonly tag: 'reinforced'; readonly metrics: StepMetrics; readonly report: Reinforced<S> })

/** All that belongs to a step is done. The snapshot is of now: it is to be taken before the next event is asked for. */
export interface Rest {
  readonly tag: 'rests'
  readonly at: At
  /** Whether it is to be kept in any case: the beginning, the end of a stage, or the policy was examined. */
  readonly isLandmark: boolean
  /** Whether nothing comes after it. */
  readonly isEnd: boolean
  readonly snapshot: TE.TaskEither<TrainError, Snapshot>
}

/** What happens in a life, in order. Whoever follows it shows, writes and saves. */
export type LifeEvent<S> =
  /** Something that may take a while. */
  { readonly tag: 'begins'; readonly what: string } | StepEvent<S> | { readonly tag: 'evaluated'; readonly evaluation: Evaluation } | Rest

/** The error that ended a life, at which step, and what that was given as far as it came. */
export interface Death {
  readonly step: number
  readonly error: TrainError
  readonly batch: unknown
}

export type Life<S, A> = AsyncGenerator<LifeEvent<S>, E.Either<Death, A>>

export const begins = (what: string): LifeEvent<never> => ({ tag: 'begins', what })

export const death =
  (step: number, batch: unknown = null) =>
  (error: TrainError): Death => ({ step, error, batch })
