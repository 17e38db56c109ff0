import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { isTooFar } from '../../algorithms/index.js'
import { type Key, random } from '../../dsl/index.js'
import type { DecoderSpecs, JudgeSpecs } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import type { Report } from '../learner.js'
import type { NetSpecs } from '../nets.js'
import type { Respond } from '../rollout.js'
import type { TrainState } from '../train-state.js'
import { drawProblems, rollOut, type Speak, type Trajectory } from '../trajectories.js'
import { type Inputs, isOfPairs } from './fields.js'
import { type Asked, type Estimates, prepare, type Prepared } from './prepare.js'
import { mostSequences, type Round, roundsOf } from './rounds.js'
import type { Counts, Row } from './rows.js'
import type { ReinforcementSettings } from './settings.js'
import type { Update } from './update.js'

/** What is trained, and what it is compared with. */
export interface Actors {
  readonly nets: TrainState<NetSpecs>
  readonly reference?: HeldFor<DecoderSpecs>
  /** A model of rewards, where the settings have one; it does not learn. */
  readonly rewardModel?: HeldFor<JudgeSpecs>
}

/** Seconds of the parts of a step. */
export interface Seconds {
  readonly rollout: number
  readonly prepare: number
  readonly update: number
}

/** What a step of reinforcement did. */
export interface Reinforced<S> extends Prepared {
  readonly trajectories: readonly Trajectory<S>[]
  /** One for each update that was tried, with what its rows count. */
  readonly updates: readonly Report<Counts>[]
  /** How many updates there were to be. */
  readonly rounds: number
  readonly seconds: Seconds
}

/** The error that ended a step, and the rows that it was made with, as far as it came. */
export interface StepFault {
  readonly error: TrainError
  readonly rows: readonly Row[]
}

/** What a step of reinforcement is made with. */
export interface Reinforcement<S> {
  readonly environment: Environment<S>
  readonly settings: ReinforcementSettings
  /** For people: the name of the loss. */
  readonly loss: string
  /** What it reads. */
  readonly inputs: Inputs
  readonly respond: Respond
  readonly estimates: Estimates
  readonly update: Update
}

const criticOf = (params: HeldFor<NetSpecs>): HeldFor<JudgeSpecs> | undefined => ('critic' in params ? params.critic : undefined)

const askedOf = ({ nets, ...frozen }: Actors): Asked => {
  const critic = criticOf(nets.params)
  return { policy: nets.params.policy, ...(critic && { critic }), ...frozen }
}

/** The policy as it speaks in a rollout. */
export const speaking =
  <S>(
    respond: Respond,
    { maxTokens, stopIds }: Environment<S>,
    params: HeldFor<DecoderSpecs>,
    { temperature, topK, topP }: Pick<ReinforcementSettings, 'temperature' | 'topK' | 'topP'>,
  ): Speak =>
  (contexts, key) =>
    respond(params, contexts, {
      maxTokens,
      stopIds,
      temperature,
      ...(topK !== undefined && { topK }),
      ...(topP !== undefined && { topP }),
      key,
    })

const fault =
  (rows: readonly Row[]) =>
  (error: TrainError): StepFault => ({ error, rows })

/** The updates of a step, until one finds that the policy has gone too far from where it sampled. */
const updated =
  (update: Update, mostKl: number, rounds: readonly Round[]) =>
  (
    state: TrainState<NetSpecs>,
  ): TE.TaskEither<TrainError, { readonly state: TrainState<NetSpecs>; readonly updates: readonly Report<Counts>[] }> =>
  async () => {
    let now = state
    const updates: Report<Counts>[] = []
    for (const round of rounds) {
      const stepped = await update(now, round, mostKl)()
      if (E.isLeft(stepped)) return stepped
      now = stepped.right.state
      updates.push(stepped.right.report)
      if (isTooFar(stepped.right.report.drift, mostKl)) break
    }
    return E.right({ state: now, updates })
  }

const secondsSince = (began: number): number => (performance.now() - began) / 1000

/** Keys of a step, each for one purpose. */
const streams = (key: Key): Readonly<Record<'problems' | 'answers' | 'order', Key>> => ({
  problems: random.fold(key, 0),
  answers: random.fold(key, 1),
  order: random.fold(key, 2),
})

/**
 * One step of reinforcement: problems are played in groups, what was written is paid and compared, and the nets are updated by it, epoch by
 * epoch in shuffled mini-batches. The same key, actors and settings give the same bits. The actors' state is spent.
 */
export const reinforce =
  <S>({ environment, settings, loss, inputs, respond, estimates, update }: Reinforcement<S>) =>
  (actors: Actors, key: Key): TE.TaskEither<StepFault, { readonly nets: TrainState<NetSpecs>; readonly report: Reinforced<S> }> =>
  async () => {
    const { questions, answers: members, oldLogProbs, mostKl = Infinity } = settings
    const keys = streams(key)
    const began = performance.now()
    const speak = speaking(respond, environment, actors.nets.params.policy, settings)
    const trajectories = await rollOut(environment, speak, { members, key: keys.answers })(
      drawProblems(environment, 'train', questions, keys.problems),
    )()
    if (E.isLeft(trajectories)) return E.left(fault([])(trajectories.left))
    const rolledOut = secondsSince(began)
    const prepared = await prepare(environment, estimates, oldLogProbs === 'recomputed')(askedOf(actors), trajectories.right)()
    if (E.isLeft(prepared)) return E.left(fault([])(prepared.left))
    const ready = secondsSince(began)
    const { rows } = prepared.right
    const sequences = mostSequences(rows)
    if (isOfPairs(inputs) && sequences > 1) return E.left(fault(rows)({ tag: 'pairsOfSeveral', loss, task: environment.name, sequences }))
    const rounds = roundsOf(inputs, rows, settings, keys.order)
    const made = await updated(update, mostKl, rounds)(actors.nets)()
    if (E.isLeft(made)) return E.left(fault(rows)(made.left))
    const seconds = { rollout: rolledOut, prepare: ready - rolledOut, update: secondsSince(began) - ready }
    const { state: nets, updates } = made.right
    return E.right({ nets, report: { ...prepared.right, trajectories: trajectories.right, updates, rounds: rounds.length, seconds } })
  }
