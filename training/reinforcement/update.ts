import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import type { GivenFor } from '../../dsl/index.js'
import { loadAccumulator } from '../accumulate.js'
import type { TrainError } from '../errors.js'
import { loadLearner, type Schedule, type Stepped } from '../learner.js'
import type { NetSpecs } from '../nets.js'
import type { TrainState } from '../train-state.js'
import type { BatchSpecs } from './fields.js'
import type { PolicyLearning } from './objective.js'
import type { Round } from './rounds.js'
import { countsOf, givenFor, type StepRows, type UpdateCounts, weighed } from './rows.js'

/** One update by the rows of a round. */
export type Update = (
  state: TrainState<NetSpecs>,
  round: Round,
  mostDrift: number,
) => TE.TaskEither<TrainError, Stepped<NetSpecs, UpdateCounts>>

/** What an update is given of each part of its round, and what the whole counts. */
interface Batched {
  readonly given: (part: StepRows) => GivenFor<BatchSpecs>
  readonly counts: UpdateCounts
}

const batched = (learning: PolicyLearning, { whole }: Round, padId: number): Batched => {
  const counts = countsOf(whole)
  return { counts: weighed(whole, counts), given: (part) => givenFor(learning.batch, part, counts, padId) }
}

/** Make updates ready on a device: one program where a round is run whole, else one for the parts and one for the update by their sum. */
export const loadUpdate = (
  device: Device,
  learning: PolicyLearning,
  schedule: Schedule,
  { padId, inParts }: { readonly padId: number; readonly inParts: boolean },
): TE.TaskEither<TrainError, Update> => {
  return inParts
    ? pipe(
        loadAccumulator(device)(learning, schedule),
        TE.map((accumulator) => (state, round, mostDrift) => {
          const { given, counts } = batched(learning, round, padId)
          return accumulator.step(state, { parts: round.parts.map(given), mostDrift, about: counts })
        }),
      )
    : pipe(
        loadLearner(device)(learning, schedule),
        TE.map((learner) => (state, round, mostDrift) => {
          const { given, counts } = batched(learning, round, padId)
          return learner.step(state, { given: given(round.whole), mostDrift, about: counts })
        }),
      )
}
