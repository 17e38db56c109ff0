import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { TrainError } from '../errors.js'
import type { At, Rest } from './event.js'
import { type RunPlan, stageEnds } from './plan.js'
import type { Snapshot } from './snapshot.js'

/** Where a life rests: what ends a stage is a landmark, and `isLandmark` may say so of other steps. */
export const restAt = <S>(plan: RunPlan<S>, at: At, snapshot: TE.TaskEither<TrainError, Snapshot>, isLandmark = false): Rest => {
  const ends = stageEnds(plan)
  return {
    ...{ tag: 'rests', at, snapshot },
    isLandmark: isLandmark || at.step === ends[at.stage],
    isEnd: at.step === ends.reinforcement,
  }
}
