import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Key, random } from '../dsl/index.js'
import type { Environment, Reward } from '../tasks/environment.js'
import { drawFrom } from './draws.js'
import type { TrainError } from './errors.js'
import type { Answer } from './rollout.js'

/** What the policy read at a turn, and what it wrote. */
export interface Turn {
  readonly context: readonly number[]
  readonly answer: Answer
  /** Of each token of the answer. */
  readonly kinds: readonly string[]
}

/** A problem from its first turn to its end. */
export interface Trajectory<S> {
  /** Trajectories of one problem have one group, counted from 0. */
  readonly group: number
  readonly turns: readonly Turn[]
  readonly state: S
  readonly reward: Reward
}

/** The policy of a rollout: an answer to each context. The key serves these answers alone. */
export type Speak = (contexts: readonly (readonly number[])[], key: Key) => TE.TaskEither<TrainError, readonly Answer[]>

interface Row<S> {
  readonly state: S
  readonly turns: readonly Turn[]
}

/** The states after some answers. The tools of all rows run at once. */
const acted =
  <S>(environment: Environment<S>) =>
  (rows: readonly Row<S>[], answers: readonly Answer[]): TE.TaskEither<TrainError, readonly Row<S>[]> =>
    TE.tryCatch(
      () =>
        Promise.all(
          rows.map(async ({ state, turns }, i) => {
            const answer = answers[i]!
            const turn = { context: environment.context(state), answer, kinds: environment.kinds(answer.ids) }
            return { state: await environment.act(state, answer.ids), turns: [...turns, turn] }
          }),
        ),
      (error): TrainError => ({ tag: 'toolFailed', task: environment.name, because: String(error) }),
    )

const play =
  <S>(environment: Environment<S>, speak: Speak, key: Key) =>
  (problems: readonly S[]): TE.TaskEither<TrainError, readonly Row<S>[]> =>
  async () => {
    let rows: readonly Row<S>[] = problems.map((state) => ({ state, turns: [] }))
    for (let turn = 0; ; turn++) {
      const open = rows.flatMap(({ state }, row) => (environment.isOver(state) ? [] : [row]))
      if (open.length === 0) return E.right(rows)
      const asked = open.map((row) => rows[row]!)
      const answers = await speak(
        asked.map(({ state }) => environment.context(state)),
        random.fold(key, turn),
      )()
      if (E.isLeft(answers)) return answers
      const next = await acted(environment)(asked, answers.right)()
      if (E.isLeft(next)) return next
      const moved = new Map(open.map((row, i) => [row, next.right[i]!]))
      rows = rows.map((row, i) => moved.get(i) ?? row)
    }
  }

/** Each problem played to its end as often as a group has members: turn by turn, all that are not over at once. */
export const rollOut =
  <S>(environment: Environment<S>, speak: Speak, { members, key }: { readonly members: number; readonly key: Key }) =>
  (problems: readonly S[]): TE.TaskEither<TrainError, readonly Trajectory<S>[]> => {
    const asked = problems.flatMap((problem) => Array.from({ length: members }, () => problem))
    return TE.map((rows: readonly Row<S>[]) =>
      rows.map(({ state, turns }, i) => ({ group: Math.floor(i / members), turns, state, reward: environment.reward(state) })),
    )(play(environment, speak, key)(asked))
  }

/** Problems of a split, drawn by a key. */
export const drawProblems = <S>(environment: Environment<S>, split: 'train' | 'heldOut', count: number, key: Key): readonly S[] =>
  Array.from({ length: count }, (_, row) => environment.problem(split, drawFrom(random.fold(key, row))))
