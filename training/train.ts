import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TrainError } from './errors.js'
import type { Batch, Learner, Report } from './learner.js'
import type { TrainState } from './train-state.js'

/** Where batches come from; one that could not be made ends the training. */
export type Batches<B, A> = Iterable<E.Either<TrainError, Batch<B, A>>> | AsyncIterable<E.Either<TrainError, Batch<B, A>>>

/**
 * Train until the batches run out, or one of them or a step fails. What a report is for is the caller's business. A batch is asked for
 * after the step before it, so one that is sampled from the state's parameters is sampled from the newest.
 */
export async function* train<P, B, A>(
  learner: Learner<P, B>,
  initial: TrainState<P>,
  batches: Batches<B, A>,
): AsyncGenerator<Report<A>, E.Either<TrainError, TrainState<P>>> {
  let state = initial
  for await (const batch of batches) {
    if (E.isLeft(batch)) return batch
    const stepped = await learner.step(state, batch.right)()
    if (E.isLeft(stepped)) return stepped
    state = stepped.right.state
    yield stepped.right.report
  }
  return E.right(state)
}

/** A training as one task: every report is told, and its end is the result. */
export const follow =
  <A>(tell: (report: Report<A>) => void) =>
  <S>(reports: AsyncGenerator<Report<A>, E.Either<TrainError, S>>): TE.TaskEither<TrainError, S> =>
  async () => {
    for (;;) {
      const next = await reports.next()
      if (next.done === true) return next.value
      tell(next.value)
    }
  }
