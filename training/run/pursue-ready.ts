import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { decoderSpecs, judgeSpecs, newJudge } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { holdTree } from '../held.js'
import type { NetSpecs } from '../nets.js'
import { type Actors, loadReinforcement, netSpecs, type Reinforcement } from '../reinforcement/index.js'
import type { Respond } from '../rollout.js'
import { initialState, type TrainState } from '../train-state.js'
import { needsIn, type RunPlan } from './plan.js'
import type { Base, Resumed } from './resumed.js'
import { holdSnapshot } from './snapshot.js'

/** The nets at the beginning of the reinforcement, without moments and with a critic that has learnt nothing; or as they were at a checkpoint. */
const netsFor = <S>(device: Device, plan: RunPlan<S>, base: Base, resumed?: Resumed): TE.TaskEither<TrainError, TrainState<NetSpecs>> => {
  const needs = needsIn(plan)
  const specs = netSpecs(plan.model, needs)
  if (resumed !== undefined) return holdSnapshot(device, specs)(resumed.snapshot, resumed.progress.updates)
  const critic = needs.critic ? { critic: newJudge(plan.model, base.reference) } : {}
  return initialState(device)(specs, { policy: base.reference, ...critic })
}

/** What does not learn. */
export type Frozen = Omit<Actors, 'nets'>

/** What the loss and the settings ask for of the base. */
const frozenFor = <S>(device: Device, plan: RunPlan<S>, base: Base): TE.TaskEither<TrainError, Frozen> => {
  const needs = needsIn(plan)
  const none = TE.right(undefined)
  return pipe(
    TE.Do,
    TE.bind('reference', () => (needs.reference ? holdTree(device)(decoderSpecs(plan.model), base.reference) : none)),
    TE.bind('rewardModel', () =>
      needs.rewardModel && base.rewardModel ? holdTree(device)(judgeSpecs(plan.model), base.rewardModel) : none,
    ),
    TE.map(({ reference, rewardModel }) => ({ ...(reference && { reference }), ...(rewardModel && { rewardModel }) })),
  )
}

/** Reinforcement that is ready to go on. */
export interface Ready<S> {
  readonly reinforcement: Reinforcement<S>
  readonly frozen: Frozen
  readonly nets: TrainState<NetSpecs>
}

/** Make reinforcement ready on a device: its programs compiled, its nets held. */
export const readyFor = <S>(
  device: Device,
  plan: RunPlan<S>,
  respond: Respond,
  base: Base,
  resumed?: Resumed,
): TE.TaskEither<TrainError, Ready<S>> =>
  pipe(
    TE.Do,
    TE.bind('frozen', () => frozenFor(device, plan, base)),
    TE.bind('nets', () => netsFor(device, plan, base, resumed)),
    TE.bind('reinforcement', () => loadReinforcement(device, plan.model, respond)(plan.environment, plan.recipe, plan.reinforcement)),
  )
