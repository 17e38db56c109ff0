import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import type { TrainError } from '../errors.js'
import { loadRespond, type Respond } from '../rollout.js'
import { compare } from './compare.js'
import { begins, death, type Life } from './event.js'
import type { RunPlan } from './plan.js'
import { pursue } from './pursue.js'
import type { Base, Resumed } from './resumed.js'
import { teach } from './teach.js'

/** Make a policy ready to answer. */
export const respondOn = (device: Device, { model }: Pick<RunPlan<unknown>, 'model'>): TE.TaskEither<TrainError, Respond> =>
  loadRespond(device)(model)

/** What the reinforcement begins with: the policy after its warm start, and what a model of rewards has learnt by it. */
async function* begun<S>(device: Device, plan: RunPlan<S>, respond: Respond, resumed?: Resumed): Life<S, Base> {
  const comparing = resumed?.progress.stage === 'rewardModel' ? resumed : undefined
  const taught = comparing === undefined ? yield* teach(device, plan, resumed) : E.right(comparing.snapshot.policy)
  if (E.isLeft(taught)) return taught
  const reference = taught.right
  if (plan.rewardModel === undefined) return E.right({ reference })
  const learnt = yield* compare(device, plan, plan.rewardModel, respond, reference, comparing)
  return pipe(
    learnt,
    E.map((rewardModel) => ({ reference, rewardModel })),
  )
}

/**
 * A run from its beginning, or on from a checkpoint: a warm start, a model of rewards where the plan has one, then reinforcement. It prints
 * nothing, saves nothing and stops for nobody. The same plan gives the same bits on the same device, however often it was stopped and resumed
 * in between.
 */
export async function* live<S>(device: Device, plan: RunPlan<S>, resumed?: Resumed): Life<S, void> {
  yield begins('compiling the policy')
  const respond = await respondOn(device, plan)()
  if (E.isLeft(respond)) return E.left(death(resumed?.progress.step ?? 0)(respond.left))
  if (resumed?.base !== undefined) return yield* pursue(device, plan, respond.right, resumed.base, resumed)
  const base = yield* begun(device, plan, respond.right, resumed)
  return E.isLeft(base) ? base : yield* pursue(device, plan, respond.right, base.right)
}
