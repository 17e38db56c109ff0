import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { decoderSpecs, type DecoderSpecs, type ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { dropTree, readTree } from '../held.js'
import { secondsSince } from '../seconds.js'
import { loadSupervised, type Supervised } from '../supervised.js'
import { initialState, named, ofName, type TrainState } from '../train-state.js'
import { begins, type Death, death, type Life } from './event.js'
import { beginning, initialPolicy, type RunPlan, stageEnds, streamsOf } from './plan.js'
import type { Resumed } from './resumed.js'
import { restAt } from './rest.js'
import { holdSnapshot, takeSnapshot } from './snapshot.js'

type Policy = { readonly policy: DecoderSpecs }

const stateOf = <S>(device: Device, plan: RunPlan<S>, resumed?: Resumed): TE.TaskEither<TrainError, TrainState<Policy>> => {
  const specs = { policy: decoderSpecs(plan.model) }
  return resumed === undefined
    ? initialState(device)(specs, { policy: initialPolicy(plan) })
    : holdSnapshot(device, specs)(resumed.snapshot, resumed.progress.updates)
}

/** The policy on the host, for what comes after the warm start; what the device held is given back. */
const ended = <S>(device: Device, plan: RunPlan<S>, state: TrainState<Policy>): TE.TaskEither<TrainError, ValuesOf<DecoderSpecs>> =>
  pipe(
    readTree(device)(decoderSpecs(plan.model), state.params.policy),
    TE.tapIO(() => () => {
      dropTree(device)(state)
    }),
  )

/** The steps of the warm start after the first so many. */
async function* lessons<S>(
  { learner, batches }: Supervised,
  device: Device,
  plan: RunPlan<S>,
  state: TrainState<Policy>,
  from: number,
): Life<S, TrainState<Policy>> {
  const snapshot = takeSnapshot(device, { policy: decoderSpecs(plan.model) })
  let now = state
  let step = from
  for await (const batch of batches(from)) {
    step++
    if (E.isLeft(batch)) return E.left(death(step)(batch.left))
    const began = performance.now()
    const stepped = await learner.step(ofName('policy')(now), batch.right)()
    if (E.isLeft(stepped)) return E.left(death(step, batch.right.given)(stepped.left))
    now = named('policy')(stepped.right.state)
    yield { tag: 'taught', step, ofStage: step, report: stepped.right.report, seconds: secondsSince(began) }
    yield restAt(plan, { ...beginning, step, updates: now.step }, snapshot(now))
  }
  return E.right(now)
}

/** A warm start from its beginning, or on from a checkpoint in it, and the policy that comes of it. */
export async function* teach<S>(device: Device, plan: RunPlan<S>, resumed?: Resumed): Life<S, ValuesOf<DecoderSpecs>> {
  const from = resumed?.progress.step ?? 0
  const state = await stateOf(device, plan, resumed)()
  if (E.isLeft(state)) return E.left(death(from)(state.left))
  let taught: E.Either<Death, TrainState<Policy>> = state
  if (resumed === undefined) yield restAt(plan, beginning, takeSnapshot(device, { policy: decoderSpecs(plan.model) })(state.right), true)
  if (from < stageEnds(plan).supervised) {
    yield begins('compiling the step of the warm start')
    const loaded = await loadSupervised(device, plan.model)(plan.supervised, streamsOf(plan.seed).lessons)()
    if (E.isLeft(loaded)) return E.left(death(from)(loaded.left))
    taught = yield* lessons(loaded.right, device, plan, state.right, from)
  }
  if (E.isLeft(taught)) return taught
  return pipe(await ended(device, plan, taught.right)(), E.mapLeft(death(stageEnds(plan).supervised)))
}
