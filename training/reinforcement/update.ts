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
import { countsOf, givenFor, type StepRows } from './rows.js'

/** One update by the rows of a round. */
export type Update = (
  state: TrainState<NetSpecs>,
  round: Round,
  mostDrift: number,
) => TE.TaskEither<TrainError, Stepped<NetSpecs, undefined>>

/** What of its maker an update is made from. */
interface Given {
  readonly given: (part: StepRows) => GivenFor<BatchSpecs>
}

const givenOf = (learning: PolicyLearning, { whole }: Round, padId: number): Given['given'] => {
  const counts = countsOf(whole)
  return (part) => givenFor(learning.batch, part, counts, padId)
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
        TE.map(
          (accumulator) => (state, round, mostDrift) =>
            accumulator.step(state, { parts: round.parts.map(givenOf(learning, round, padId)), mostDrift, about: undefined }),
        ),
      )
    : pipe(
        loadLearner(device)(learning, schedule),
        TE.map(
          (learner) => (state, round, mostDrift) =>
            learner.step(state, { given: givenOf(learning, round, padId)(round.whole), mostDrift, about: undefined }),
        ),
      )
}
