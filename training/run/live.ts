import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import type { DecoderSpecs, ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import type { NetSpecs } from '../nets.js'
import { loadRespond, type Respond } from '../rollout.js'
import { initialState, type TrainState } from '../train-state.js'
import { begins, death, type Life } from './event.js'
import { initialPolicy, type RunPlan, stageSpecs, stepsOf } from './plan.js'
import type { Progress } from './progress.js'
import { firstPursuit, pursue } from './pursue.js'
import { teach } from './teach.js'
import { holdSnapshot, type Snapshot, takeSnapshot } from './snapshot.js'

/** A checkpoint to go on from. */
export interface Resumed {
  readonly progress: Progress
  readonly snapshot: Snapshot
  /** What the policy was when the reinforcement began, if it has. */
  readonly reference?: ValuesOf<DecoderSpecs>
}

/** Make a policy ready to answer. */
export const respondOn = (device: Device, { model }: Pick<RunPlan<unknown>, 'model'>): TE.TaskEither<TrainError, Respond> =>
  loadRespond(device)(model)

const stateOf = <S>(device: Device, plan: RunPlan<S>, resumed?: Resumed): TE.TaskEither<TrainError, TrainState<NetSpecs>> => {
  if (resumed !== undefined)
    return holdSnapshot(device, stageSpecs(plan)(resumed.progress.stage))(resumed.snapshot, resumed.progress.updates)
  return pipe(initialState(device)(stageSpecs(plan)('supervised'), { policy: initialPolicy(plan) }))
}

/**
 * A run from its beginning, or on from a checkpoint: a warm start, then reinforcement. It prints nothing, saves nothing and stops for nobody.
 * The same plan gives the same bits on the same device, however often it was stopped and resumed in between.
 */
export async function* live<S>(device: Device, plan: RunPlan<S>, resumed?: Resumed): Life<S, void> {
  const from = resumed?.progress.step ?? 0
  yield begins('compiling the policy')
  const ready = await pipe(
    TE.Do,
    TE.bind('respond', () => respondOn(device, plan)),
    TE.bind('state', () => stateOf(device, plan, resumed)),
  )()
  if (E.isLeft(ready)) return E.left(death(from)(ready.left))
  const { respond, state } = ready.right
  if (resumed?.progress.stage === 'reinforcement') {
    const { step, evaluations } = resumed.progress
    const reference = resumed.reference ?? resumed.snapshot.policy
    return yield* pursue(device, plan, respond, { step, evaluations, nets: state, reference })
  }
  const { warm } = stepsOf(plan)
  if (resumed === undefined && warm > 0) {
    const snapshot = takeSnapshot(device, stageSpecs(plan)('supervised'))(state)
    yield { tag: 'rests', at: { step: 0, stage: 'supervised', updates: 0, evaluations: [] }, isStage: true, snapshot }
  }
  const taught = warm > 0 ? yield* teach(device, plan, state, from) : E.right(state)
  if (E.isLeft(taught)) return taught
  const pursuit = await firstPursuit(device, plan, warm)(taught.right)()
  return E.isLeft(pursuit) ? E.left(death(warm)(pursuit.left)) : yield* pursue(device, plan, respond, pursuit.right)
}
