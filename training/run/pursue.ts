import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { random } from '../../dsl/index.js'
import { decoderSpecs, type DecoderSpecs, newJudge, type ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { dropTree, type HeldFor, holdTree, readTree } from '../held.js'
import { stepMetrics } from '../metrics/index.js'
import type { NetSpecs } from '../nets.js'
import { loadReinforcement, reinforce } from '../reinforcement/index.js'
import type { Respond } from '../rollout.js'
import { initialState, type TrainState } from '../train-state.js'
import { evaluate } from './evaluate.js'
import { begins, death, type Life, type LifeEvent, secondsSince } from './event.js'
import { needsIn, type RunPlan, stageSpecs, stepsOf, streamsOf } from './plan.js'
import type { Evaluation } from './progress.js'
import { takeSnapshot } from './snapshot.js'

/** What reinforcement goes on from. */
export interface Pursuit {
  readonly step: number
  readonly nets: TrainState<NetSpecs>
  /** What the policy was when the reinforcement began. */
  readonly reference: ValuesOf<DecoderSpecs>
  /** None where it begins. */
  readonly evaluations: readonly Evaluation[]
}

/** The beginning of the reinforcement of a policy: no moments, and a critic that has learnt nothing. What the device held is given back. */
export const firstPursuit =
  <S>(device: Device, plan: RunPlan<S>, step: number) =>
  ({ params, moments }: TrainState<NetSpecs>): TE.TaskEither<TrainError, Pursuit> =>
    pipe(
      readTree(device)(decoderSpecs(plan.model), params.policy),
      TE.tapIO(() => () => {
        dropTree(device)([params, moments])
      }),
      TE.bindTo('reference'),
      TE.bind('nets', ({ reference }) => {
        const critic = needsIn(plan).critic ? { critic: newJudge(plan.model, reference) } : {}
        return initialState(device)(stageSpecs(plan)('reinforcement'), { policy: reference, ...critic })
      }),
      TE.map((made) => ({ ...made, step, evaluations: [] })),
    )

const heldReference = <S>(
  device: Device,
  plan: RunPlan<S>,
  reference: ValuesOf<DecoderSpecs>,
): TE.TaskEither<TrainError, HeldFor<DecoderSpecs> | undefined> =>
  needsIn(plan).reference ? holdTree(device)(decoderSpecs(plan.model), reference) : TE.right(undefined)

/** Whether the policy is examined after a step. */
const isExamined = <S>(plan: RunPlan<S>, step: number): boolean => {
  const { warm, all } = stepsOf(plan)
  const { every } = plan.evaluation
  return step === all || (every > 0 && (step - warm) % every === 0)
}

/** The steps of reinforcement after the first so many. The policy is examined before the first and after the last. */
export async function* pursue<S>(device: Device, plan: RunPlan<S>, respond: Respond, from: Pursuit): Life<S, void> {
  const { environment, recipe, reinforcement: settings, evaluation } = plan
  yield begins(`compiling ${recipe.name}`)
  const loaded = await pipe(
    TE.Do,
    TE.bind('reference', () => heldReference(device, plan, from.reference)),
    TE.bind('reinforcement', () => loadReinforcement(device, plan.model, respond)(environment, recipe, settings)),
  )()
  if (E.isLeft(loaded)) return E.left(death(from.step)(loaded.left))
  const { reference, reinforcement } = loaded.right
  const examine = evaluate(environment, respond)
  const snapshot = takeSnapshot(device, stageSpecs(plan)('reinforcement'))
  let { nets, step, evaluations } = from

  const examined = async function* (): Life<S, void> {
    yield begins('answering the held-out questions')
    const made = await examine(nets.params.policy, { ...evaluation, step })()
    if (E.isLeft(made)) return E.left(death(step)(made.left))
    evaluations = [...evaluations, made.right]
    yield { tag: 'evaluated', evaluation: made.right }
    return E.right(undefined)
  }
  const rest = (isStage: boolean): LifeEvent<S> => ({
    tag: 'rests',
    at: { step, stage: 'reinforcement', updates: nets.step, evaluations },
    isStage,
    snapshot: snapshot(nets),
  })

  if (evaluations.length === 0) {
    const first = yield* examined()
    if (E.isLeft(first)) return first
    yield rest(true)
  }
  while (step < stepsOf(plan).all) {
    step++
    const began = performance.now()
    const made = await reinforce(reinforcement)(
      { nets, ...(reference && { reference }) },
      random.fold(streamsOf(plan.seed).reinforcement, step),
    )()
    if (E.isLeft(made)) return E.left(death(step, made.left.rows)(made.left.error))
    nets = made.right.nets
    const { report } = made.right
    yield { tag: 'reinforced', step, metrics: stepMetrics(reinforcement)(step, report), report, seconds: secondsSince(began) }
    if (isExamined(plan, step)) {
      const last = yield* examined()
      if (E.isLeft(last)) return last
    }
    yield rest(step === stepsOf(plan).all)
  }
  return E.right(undefined)
}
