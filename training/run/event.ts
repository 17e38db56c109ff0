import type * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TrainError } from '../errors.js'
import type { Report } from '../learner.js'
import type { StepMetrics } from '../metrics/index.js'
import type { Reinforced } from '../reinforcement/index.js'
import type { TaughtTokens } from '../supervised.js'
import type { Evaluation, Progress } from './progress.js'
import type { Snapshot } from './snapshot.js'

/** Where a life is. */
export type At = Pick<Progress, 'step' | 'stage' | 'updates' | 'evaluations'>

/** What happens in a life, in order. Steps are counted from 1 through all stages. Whoever follows it shows, writes and saves. */
export type LifeEvent<S> =
  /** Something that may take a while. */
  | { readonly tag: 'begins'; readonly what: string }
  | { readonly tag: 'taught'; readonly step: number; readonly report: Report<TaughtTokens>; readonly seconds: number }
  | {
      readonly tag: 'reinforced'
      readonly step: number
      readonly metrics: StepMetrics
      readonly report: Reinforced<S>
      readonly seconds: number
    }
  | { readonly tag: 'evaluated'; readonly evaluation: Evaluation }
  /** All that belongs to a step is done. The snapshot is of now: it is to be taken before the next event is asked for. */
  | { readonly tag: 'rests'; readonly at: At; readonly isStage: boolean; readonly snapshot: TE.TaskEither<TrainError, Snapshot> }

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

export const secondsSince = (began: number): number => (performance.now() - began) / 1000
