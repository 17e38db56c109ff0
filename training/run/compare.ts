import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { decoderSpecs, type DecoderSpecs, judgeSpecs, type JudgeSpecs, newJudge, type ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { dropTree, type HeldFor, holdTree, readTree } from '../held.js'
import type { Report } from '../learner.js'
import { speaking } from '../reinforcement/index.js'
import { loadRewardModel, type PairCount, type RewardModel, type RewardModelSettings } from '../reward-model/index.js'
import type { Respond } from '../rollout.js'
import { secondsSince } from '../seconds.js'
import { initialState, named, ofName, type TrainState } from '../train-state.js'
import { begins, type Death, death, type Life } from './event.js'
import { type RunPlan, stageEnds, streamsOf } from './plan.js'
import type { Resumed } from './resumed.js'
import { restAt } from './rest.js'
import { holdSnapshot, restParams, takeRest } from './snapshot.js'

type Judging = { readonly rewardModel: JudgeSpecs }
type Policy = ValuesOf<DecoderSpecs>

interface Ready {
  readonly model: RewardModel
  /** The policy whose answers are compared; it does not learn. */
  readonly policy: HeldFor<DecoderSpecs>
  readonly state: TrainState<Judging>
}

const specsOf = <S>({ model }: RunPlan<S>): Judging => ({ rewardModel: judgeSpecs(model) })

const readyFor = <S>(
  device: Device,
  plan: RunPlan<S>,
  settings: RewardModelSettings,
  policy: Policy,
  resumed?: Resumed,
): TE.TaskEither<TrainError, Ready> =>
  pipe(
    TE.Do,
    TE.bind('model', () => loadRewardModel(device, plan.model, settings)),
    TE.bind('policy', () => holdTree(device)(decoderSpecs(plan.model), policy)),
    TE.bind('state', () =>
      resumed === undefined
        ? initialState(device)(specsOf(plan), { rewardModel: newJudge(plan.model, policy) })
        : holdSnapshot(device, specsOf(plan))(resumed.snapshot, resumed.progress.updates),
    ),
  )

interface Compared {
  readonly state: TrainState<Judging>
  readonly report?: Report<PairCount>
}

/** One step by the pairs of what the policy answers to some problems; none where there is no pair among them. */
const comparedBy =
  ({ learner }: RewardModel, batchAt: ReturnType<RewardModel['batchAt']>) =>
  (state: TrainState<Judging>, ofStage: number, step: number): TE.TaskEither<Death, Compared> =>
    pipe(
      batchAt(ofStage - 1),
      TE.mapLeft(death(step)),
      TE.flatMap((batch): TE.TaskEither<Death, Compared> =>
        batch === undefined
          ? TE.right({ state })
          : pipe(
              learner.step(ofName('rewardModel')(state), batch),
              TE.bimap(death(step, batch.given), ({ state: next, report }) => ({ state: named('rewardModel')(next), report })),
            ),
      ),
    )

/** The steps of the model of rewards after the first so many. */
async function* comparisons<S>(
  device: Device,
  plan: RunPlan<S>,
  respond: Respond,
  policy: Policy,
  { model, policy: held, state }: Ready,
  from: number,
): Life<S, TrainState<Judging>> {
  const { environment, reinforcement, seed } = plan
  const compared = comparedBy(model, model.batchAt(environment, speaking(respond, environment, held, reinforcement), streamsOf(seed).pairs))
  const { supervised: before, rewardModel: end } = stageEnds(plan)
  let now = state
  for (let step = from + 1; step <= end; step++) {
    const began = performance.now()
    const next = await compared(now, step - before, step)()
    if (E.isLeft(next)) return next
    now = next.right.state
    const { report } = next.right
    yield { tag: 'compared', step, ofStage: step - before, ...(report && { report }), seconds: secondsSince(began) }
    const rest = pipe(takeRest(device, specsOf(plan))(now), TE.map((rest) => ({ policy, rest }))) // prettier-ignore
    yield restAt(plan, { step, stage: 'rewardModel', updates: now.step, evaluations: [] }, rest)
  }
  return E.right(now)
}

/** A model of rewards that learns which of a policy's answers are better, from its beginning or on from a checkpoint of this stage. */
export async function* compare<S>(
  device: Device,
  plan: RunPlan<S>,
  settings: RewardModelSettings,
  respond: Respond,
  policy: Policy,
  resumed?: Resumed,
): Life<S, ValuesOf<JudgeSpecs>> {
  const { supervised: before, rewardModel: end } = stageEnds(plan)
  const from = resumed?.progress.step ?? before
  if (resumed !== undefined && from === end) return E.right(restParams(specsOf(plan), resumed.snapshot).rewardModel)
  yield begins('compiling the reward model')
  const ready = await readyFor(device, plan, settings, policy, resumed)()
  if (E.isLeft(ready)) return E.left(death(from)(ready.left))
  const learnt = yield* comparisons(device, plan, respond, policy, ready.right, from)
  if (E.isLeft(learnt)) return learnt
  const values = await readTree(device)(judgeSpecs(plan.model), learnt.right.params.rewardModel)()
  dropTree(device)([learnt.right, ready.right.policy])
  return E.mapLeft(death(end))(values)
}
