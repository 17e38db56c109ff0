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
import { secondsSince } from '../seconds.js'
import type { TrainState } from '../train-state.js'
import { drawProblems, rollOut, type Speak, type Trajectory } from '../trajectories.js'
import { type Inputs, isOfPairs } from './fields.js'
import { needsOf } from './needs.js'
import { withPass } from './passes.js'
import { type Asked, type Estimates, prepare, type Prepared } from './prepare.js'
import { mostSequences, type Round, roundsOf } from './rounds.js'
import { type Row, sequencesOf, type UpdateCounts } from './rows.js'
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
  readonly updates: readonly Report<UpdateCounts>[]
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
  ): TE.TaskEither<TrainError, { readonly state: TrainState<NetSpecs>; readonly updates: readonly Report<UpdateCounts>[] }> =>
  async () => {
    let now = state
    const updates: Report<UpdateCounts>[] = []
    for (const round of rounds) {
      const stepped = await update(now, round, mostKl)()
      if (E.isLeft(stepped)) return stepped
      now = stepped.right.state
      updates.push(stepped.right.report)
      if (isTooFar(stepped.right.report.drift, mostKl)) break
    }
    return E.right({ state: now, updates })
  }

/** Sequences that were run, each once an epoch. */
const learntFrom = (rounds: readonly Round[]): number =>
  rounds.flatMap(({ parts }) => parts).reduce((sum, part) => sum + sequencesOf(part).length, 0)

/** Keys of a step, each for one purpose. */
const streams = (key: Key): Readonly<Record<'problems' | 'answers' | 'order', Key>> => ({
  problems: random.fold(key, 0),
  answers: random.fold(key, 1),
  order: random.fold(key, 2),
})

const actorNames = ['reference', 'critic', 'rewardModel'] as const

/** What a step would need and was not given. */
const missing = <S>({ loss, inputs, settings }: Reinforcement<S>, asked: Asked): TrainError | undefined => {
  const needs = needsOf({ inputs }, settings)
  const actor = actorNames.find((name) => needs[name] && asked[name] === undefined)
  return actor === undefined ? undefined : { tag: 'missingActor', loss, actor }
}

const unpaired = <S>({ loss, inputs, environment }: Reinforcement<S>, rows: readonly Row[]): TrainError | undefined => {
  const sequences = mostSequences(rows)
  return isOfPairs(inputs) && sequences > 1 ? { tag: 'pairsOfSeveral', loss, task: environment.name, sequences } : undefined
}

/** What was played, ready to learn from, and how long that took. */
interface Ready<S> extends Prepared {
  readonly trajectories: readonly Trajectory<S>[]
  readonly seconds: Omit<Seconds, 'update'>
}

/** Problems are played in groups; what was written is paid and compared. */
const played =
  <S>({ environment, settings, respond, estimates }: Reinforcement<S>) =>
  (asked: Asked, keys: Readonly<Record<'problems' | 'answers', Key>>): TE.TaskEither<TrainError, Ready<S>> =>
  async () => {
    const { questions, answers: members, oldLogProbs } = settings
    const began = performance.now()
    const speak = speaking(respond, environment, asked.policy, settings)
    const problems = drawProblems(environment, 'train', questions, keys.problems)
    const trajectories = await rollOut(environment, speak, { members, key: keys.answers })(problems)()
    if (E.isLeft(trajectories)) return trajectories
    const rollout = secondsSince(began)
    const prepared = await prepare(environment, estimates, oldLogProbs === 'recomputed')(asked, trajectories.right)()
    const seconds = { rollout, prepare: secondsSince(began) - rollout }
    return E.map((ready: Prepared) => ({ ...ready, trajectories: trajectories.right, seconds }))(prepared)
  }

/**
 * One step of reinforcement: problems are played in groups, what was written is paid and compared, and the nets are updated by it, epoch by
 * epoch in shuffled mini-batches. The same key, actors and settings give the same bits. The actors' state is spent. Fails with `missingActor`
 * where an actor is not there that the loss or the settings read.
 */
export const reinforce =
  <S>(reinforcement: Reinforcement<S>) =>
  (actors: Actors, key: Key): TE.TaskEither<StepFault, { readonly nets: TrainState<NetSpecs>; readonly report: Reinforced<S> }> =>
  async () => {
    const { settings, inputs, update } = reinforcement
    const [asked, keys] = [askedOf(actors), streams(key)]
    const absent = missing(reinforcement, asked)
    if (absent !== undefined) return E.left(fault([])(absent))
    const ready = await played(reinforcement)(asked, keys)()
    if (E.isLeft(ready)) return E.left(fault([])(ready.left))
    const { rows, seconds } = ready.right
    const misfit = unpaired(reinforcement, rows)
    if (misfit !== undefined) return E.left(fault(rows)(misfit))
    const rounds = roundsOf(inputs, rows, settings, keys.order)
    const began = performance.now()
    const made = await updated(update, settings.mostKl ?? Infinity, rounds)(actors.nets)()
    if (E.isLeft(made)) return E.left(fault(rows)(made.left))
    const { state: nets, updates } = made.right
    const passes = withPass('update', learntFrom(rounds.slice(0, updates.length)))(ready.right.passes)
    return E.right({
      nets,
      report: { ...ready.right, passes, updates, rounds: rounds.length, seconds: { ...seconds, update: secondsSince(began) } },
    })
  }
