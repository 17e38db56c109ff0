import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Key, random } from '../dsl/index.js'
import { demonstrate } from '../tasks/demonstration.js'
import type { Environment } from '../tasks/environment.js'
import { drawFrom } from './draws.js'
import type { TrainError } from './errors.js'
import type { Trajectory, Turn } from './trajectories.js'

const turnOf = <S>({ kinds }: Environment<S>, context: readonly number[], ids: readonly number[]): Turn => {
  const zeros = ids.map(() => 0)
  return { context, answer: { ids, logProbs: zeros, samplingLogProbs: zeros }, kinds: kinds(ids) }
}

const playedOnce = async <S>(environment: Environment<S>, problem: S, group: number, key: Key): Promise<Trajectory<S>> => {
  const { lessons, state } = await demonstrate(environment)(problem, (turn) => drawFrom(random.fold(key, turn)))
  const turns = lessons.map(({ context, response }) => turnOf(environment, context, response))
  return { group, turns, state, reward: environment.reward(state) }
}

/** Each problem played by the task's oracle, a group of its own each; it is sure of what it says: its log-probabilities are 0. */
export const playOracle =
  <S>(environment: Environment<S>, key: Key) =>
  (problems: readonly S[]): TE.TaskEither<TrainError, readonly Trajectory<S>[]> =>
    TE.tryCatch(
      () => Promise.all(problems.map((problem, group) => playedOnce(environment, problem, group, random.fold(key, group)))),
      (error): TrainError => ({ tag: 'toolFailed', task: environment.name, because: String(error) }),
    )
