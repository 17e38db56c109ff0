import * as E from 'fp-ts/lib/Either.js'
import type { Device } from '../../backends/backend.js'
import { random } from '../../dsl/index.js'
import { stepMetrics } from '../metrics/index.js'
import type { NetSpecs } from '../nets.js'
import { netSpecs, reinforce } from '../reinforcement/index.js'
import type { Respond } from '../rollout.js'
import { secondsSince } from '../seconds.js'
import type { TrainState } from '../train-state.js'
import { begins, death, type Life } from './event.js'
import { examine, isExamined } from './examine.js'
import { needsIn, type RunPlan, stageEnds, streamsOf } from './plan.js'
import type { Evaluation } from './progress.js'
import { type Ready, readyFor } from './pursue-ready.js'
import type { Base, Resumed } from './resumed.js'
import { restAt } from './rest.js'
import { takeSnapshot } from './snapshot.js'

/** Reinforcement after so many steps. */
interface Standing {
  readonly step: number
  readonly nets: TrainState<NetSpecs>
  readonly evaluations: readonly Evaluation[]
}

/** The policy is examined, and remembers it. */
async function* examined<S>(plan: RunPlan<S>, respond: Respond, now: Standing): Life<S, Standing> {
  const made = yield* examine<S>(plan, respond, now.nets.params.policy, now.step)
  return E.map((evaluation: Evaluation) => ({ ...now, evaluations: [...now.evaluations, evaluation] }))(made)
}

/** One step more, and the policy examined where that is due. */
async function* stepped<S>(
  plan: RunPlan<S>,
  respond: Respond,
  { reinforcement, frozen }: Ready<S>,
  { step: before, nets, evaluations }: Standing,
): Life<S, Standing> {
  const step = before + 1
  const began = performance.now()
  const made = await reinforce(reinforcement)({ nets, ...frozen }, random.fold(streamsOf(plan.seed).reinforcement, step))()
  if (E.isLeft(made)) return E.left(death(step, made.left.rows)(made.left.error))
  const { report, nets: next } = made.right
  const seconds = secondsSince(began)
  const ofStage = step - stageEnds(plan).rewardModel
  yield { tag: 'reinforced', step, ofStage, metrics: stepMetrics(step, report), report, seconds }
  const now = { step, nets: next, evaluations }
  return isExamined(plan, step) ? yield* examined(plan, respond, now) : E.right(now)
}

/** The steps of reinforcement, all or those after a checkpoint. The policy is examined before the first and after the last. */
export async function* pursue<S>(device: Device, plan: RunPlan<S>, respond: Respond, base: Base, resumed?: Resumed): Life<S, void> {
  const { rewardModel: before, reinforcement: all } = stageEnds(plan)
  const from = resumed?.progress.step ?? before
  yield begins(`compiling ${plan.recipe.name}`)
  const ready = await readyFor(device, plan, respond, base, resumed)()
  if (E.isLeft(ready)) return E.left(death(from)(ready.left))
  const snapshot = takeSnapshot(device, netSpecs(plan.model, needsIn(plan)))
  const begun: Standing = { step: from, nets: ready.right.nets, evaluations: resumed?.progress.evaluations ?? [] }
  let now = begun.evaluations.length === 0 ? yield* examined(plan, respond, begun) : E.right(begun)
  while (E.isRight(now) && now.right.step < all) {
    now = yield* stepped(plan, respond, ready.right, now.right)
    if (E.isLeft(now)) return now
    const { step, nets, evaluations } = now.right
    yield restAt(plan, { step, stage: 'reinforcement', updates: nets.step, evaluations }, snapshot(nets), isExamined(plan, step))
  }
  return E.map(() => undefined)(now)
}
