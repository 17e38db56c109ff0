import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { random } from '../../dsl/index.js'
import type { DecoderSpecs } from '../../models/index.js'
import type { Environment, Reward } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import { mean, std, sum } from '../metrics/statistics.js'
import { playOracle } from '../oracle.js'
import { speaking } from '../reinforcement/index.js'
import type { Respond } from '../rollout.js'
import { drawProblems, rollOut, type Trajectory, type Turn } from '../trajectories.js'
import type { Evaluation, Examined, Measures, MeanWithError } from './progress.js'

/** The mean, and the standard error √(Σ(x − mean)² / (n − 1) / n); 0 of fewer than two. */
export const meanWithError = (xs: readonly number[]): MeanWithError => {
  const n = xs.length
  return { mean: mean(xs), error: n < 2 ? 0 : std(xs) / Math.sqrt(n - 1) }
}

/** By name, over whatever was rewarded: `reward`, its parts, and what else is counted. */
const measured = (rewards: readonly Reward[], counted: Readonly<Record<string, readonly number[]>>): Measures => {
  const parts = Object.keys(rewards[0]?.parts ?? {})
  return {
    reward: meanWithError(rewards.map(({ value }) => value)),
    ...Object.fromEntries(parts.map((part) => [part, meanWithError(rewards.map((one) => one.parts[part] ?? 0))])),
    ...Object.fromEntries(Object.entries(counted).map(([name, xs]) => [name, meanWithError(xs)])),
  }
}

const written = ({ turns }: Trajectory<unknown>): number => sum(turns.map(({ answer }) => answer.ids.length))

const held = ({ context, answer }: Turn): number => context.length + answer.ids.length

const ofTrajectories = (trajectories: readonly Trajectory<unknown>[]): Measures =>
  measured(
    trajectories.map(({ reward }) => reward),
    {
      turns: trajectories.map(({ turns }) => turns.length),
      written: trajectories.map(written),
      tokens: trajectories.map(({ turns }) => sum(turns.map(held))),
      peak: trajectories.map(({ turns }) => Math.max(0, ...turns.map(held))),
    },
  )

const ways = ['greedy', 'sampled', 'oracle'] as const

/** The same questions, answered in each way. */
type Played<S> = Readonly<Record<(typeof ways)[number], readonly Trajectory<S>[]>>

const eachWay = <A>(of: (way: (typeof ways)[number]) => A): Readonly<Record<(typeof ways)[number], A>> => ({
  ...{ greedy: of('greedy'), sampled: of('sampled'), oracle: of('oracle') },
})

const examined = (played: Played<unknown>): Examined => ({
  questions: played.greedy.length,
  ...eachWay((way) => ofTrajectories(played[way])),
})

/** The same of each sort of question, in the order of their names; none where all are of one. */
const bySort = <S>({ sort }: Environment<S>, played: Played<S>): Evaluation['sorts'] => {
  if (sort === undefined) return {}
  const names = [...new Set(played.greedy.map(({ state }) => sort(state)))].toSorted()
  if (names.length < 2) return {}
  const own = (name: string): Played<S> => eachWay((way) => played[way].filter(({ state }) => sort(state) === name))
  return Object.fromEntries(names.map((name) => [name, examined(own(name))]))
}

/** The questions are the same whatever the run's seed, so that runs can be compared. */
const questionsKey = random.key(20_260)

/** Fixed questions that no training asks. */
export const heldOutProblems = <S>(environment: Environment<S>, count: number): readonly S[] =>
  drawProblems(environment, 'heldOut', count, random.fold(questionsKey, 0))

/** A policy's episodes over the held-out questions, at a temperature. */
export const heldOutEpisodes =
  <S>(environment: Environment<S>, respond: Respond, params: HeldFor<DecoderSpecs>) =>
  (count: number, temperature: number): TE.TaskEither<TrainError, readonly Trajectory<S>[]> =>
    rollOut(environment, speaking(respond, environment, params, { temperature }), { members: 1, key: random.fold(questionsKey, 1) })(
      heldOutProblems(environment, count),
    )

/** The oracle's episodes over the held-out questions. */
const oracleEpisodes = <S>(environment: Environment<S>, count: number): TE.TaskEither<TrainError, readonly Trajectory<S>[]> =>
  playOracle(environment, random.fold(questionsKey, 2))(heldOutProblems(environment, count))

/**
 * Make a policy answer the held-out questions, greedily and by drawing, and the task's oracle beside it: the means of its reward, of the
 * parts of it, of turns, of tokens written, of tokens written and read at each turn anew, and of the most that it read and wrote at one turn.
 */
export const evaluate =
  <S>(environment: Environment<S>, respond: Respond) =>
  (params: HeldFor<DecoderSpecs>, settings: { readonly questions: number; readonly temperature: number; readonly step: number }) => {
    const { questions, temperature, step } = settings
    const play = heldOutEpisodes(environment, respond, params)
    return pipe(
      TE.Do,
      TE.bind('greedy', () => play(questions, 0)),
      TE.bind('sampled', () => play(questions, temperature)),
      TE.bind('oracle', () => oracleEpisodes(environment, questions)),
      TE.map((played): Evaluation => ({ step, ...examined(played), sorts: bySort(environment, played) })),
    )
  }
