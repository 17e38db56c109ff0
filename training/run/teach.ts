import * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/backend.js'
import type { DecoderSpecs } from '../../models/index.js'
import type { NetSpecs } from '../nets.js'
import { loadSupervised } from '../supervised.js'
import type { TrainState } from '../train-state.js'
import { type At, begins, death, type Life, secondsSince } from './event.js'
import { type RunPlan, stageSpecs, streamsOf } from './plan.js'
import { takeSnapshot } from './snapshot.js'

/** The state of a policy as that of nets that are it alone. */
const asNets = ({ step, params, moments: { mean, square } }: TrainState<DecoderSpecs>): TrainState<NetSpecs> => ({
  step,
  params: { policy: params },
  moments: { mean: { policy: mean }, square: { policy: square } },
})

const ofPolicy = ({ step, params, moments: { mean, square } }: TrainState<NetSpecs>): TrainState<DecoderSpecs> => ({
  step,
  params: params.policy,
  moments: { mean: mean.policy, square: square.policy },
})

/** The steps of the warm start after the first so many. After the last it does not rest: the reinforcement begins at that step. */
export async function* teach<S>(
  device: Device,
  plan: RunPlan<S>,
  state: TrainState<NetSpecs>,
  from: number,
): Life<S, TrainState<NetSpecs>> {
  yield begins('compiling the step of the warm start')
  const loaded = await loadSupervised(device, plan.model)(plan.supervised, streamsOf(plan.seed).lessons)()
  if (E.isLeft(loaded)) return E.left(death(from)(loaded.left))
  const { learner, batches, steps } = loaded.right
  const snapshot = takeSnapshot(device, stageSpecs(plan)('supervised'))
  let now = ofPolicy(state)
  let step = from
  for await (const batch of batches(from)) {
    step++
    if (E.isLeft(batch)) return E.left(death(step)(batch.left))
    const began = performance.now()
    const stepped = await learner.step(now, batch.right)()
    if (E.isLeft(stepped)) return E.left(death(step, batch.right.given)(stepped.left))
    now = stepped.right.state
    yield { tag: 'taught', step, report: stepped.right.report, seconds: secondsSince(began) }
    const at: At = { step, stage: 'supervised', updates: now.step, evaluations: [] }
    if (step < steps) yield { tag: 'rests', at, isStage: false, snapshot: snapshot(asNets(now)) }
  }
  return E.right(asNets(now))
}
