import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DecoderSpecs, JudgeSpecs } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import type { Judge } from '../reward-model/judge.js'
import type { Trajectory } from '../trajectories.js'
import { begin, byTrajectory, columnOf, earning, withColumn } from './begin.js'
import type { Columns, CriticEstimate, GroupEstimate, Price } from './estimates.js'
import type { MemoryEstimate, Remembered } from './memory.js'
import type { Row, TokenField } from './rows.js'
import type { Score } from './scoring.js'

/** What is asked of the nets between a rollout and its updates; what is not there is not asked for by the loss or the settings. */
export interface Estimates {
  /** log π of answers that are read again. */
  readonly likelihood?: Score<DecoderSpecs>
  readonly value?: { readonly score: Score<JudgeSpecs>; readonly estimate: CriticEstimate }
  /** What a reward model adds to what each trajectory earned. */
  readonly judge?: Judge
  readonly price?: Price
  readonly group: GroupEstimate
  readonly memory?: MemoryEstimate
}

/** The nets that are asked. */
export interface Asked {
  readonly policy: HeldFor<DecoderSpecs>
  readonly critic?: HeldFor<JudgeSpecs>
  readonly reference?: HeldFor<DecoderSpecs>
  readonly rewardModel?: HeldFor<JudgeSpecs>
}

/** Rows that are ready to learn from, and what their memories were worth. */
export interface Prepared {
  readonly rows: readonly Row[]
  readonly remembered: readonly Remembered[]
}

type Rows = readonly Row[]
type Step = (rows: Rows) => TE.TaskEither<TrainError, Rows>

const unchanged: Step = (rows) => TE.right(rows)

const reading =
  (field: TokenField, read: (rows: Rows) => TE.TaskEither<TrainError, Columns>): Step =>
  (rows) =>
    pipe(
      read(rows),
      TE.map((columns) => withColumn(field)(columns)(rows)),
    )

const counted = (rows: Rows): number => 1 + Math.max(-1, ...rows.map(({ trajectory }) => trajectory))

const judged =
  ({ judge }: Estimates, { rewardModel }: Asked): Step =>
  (rows) =>
    judge === undefined || rewardModel === undefined
      ? TE.right(rows)
      : pipe(
          judge(rewardModel, rows),
          TE.map((scores) => rows.map((row) => ({ ...row, reward: row.reward + (scores[row.trajectory] ?? 0) }))),
        )

const sum = (numbers: readonly number[]): number => numbers.reduce((total, x) => total + x, 0)

const lastWritten = ({ answerMask }: Row): number => answerMask.lastIndexOf(true)

/** What a row earned, at its last token. */
const atLast = (row: Row): readonly number[] => row.answer.map((_, i) => (i === lastWritten(row) ? row.reward : 0))

/** The rewards of tokens and trajectories, less the price of leaving the reference. */
const priced =
  ({ price }: Estimates): Step =>
  (rows) => {
    const paid = withColumn('rewards')(rows.map(atLast))(rows)
    if (price === undefined) return TE.right(paid)
    return pipe(
      price(rows, columnOf('oldLogProbs')(rows), columnOf('refLogProbs')(rows)),
      TE.map((prices) => {
        const perToken = columnOf('rewards')(paid).map((row, i) => row.map((reward, j) => reward - (prices[i]?.[j] ?? 0)))
        const totals = byTrajectory(rows, counted(rows), (_, i) => sum(prices[i] ?? []))
        return pipe(
          withColumn('rewards')(perToken)(paid),
          earning(totals.map((total, at) => (rows.find(({ trajectory }) => trajectory === at)?.reward ?? 0) - total)),
        )
      }),
    )
  }

/** One advantage a trajectory, compared within its group, and the same at each of its tokens. */
const comparedInGroups =
  ({ group }: Estimates): Step =>
  (rows) => {
    const firsts = rows.filter(({ trajectory }, i) => rows.findIndex((row) => row.trajectory === trajectory) === i)
    return pipe(
      group(
        firsts.map(({ reward }) => reward),
        firsts.map((row) => row.group),
      ),
      TE.map((advantages) => {
        const of = new Map(firsts.map(({ trajectory }, i) => [trajectory, advantages[i] ?? 0]))
        const known = rows.map((row) => ({ ...row, advantage: of.get(row.trajectory) ?? 0 }))
        return withColumn('advantages')(known.map(({ answer, advantage }) => answer.map(() => advantage)))(known)
      }),
    )
  }

const criticised =
  ({ value }: Estimates, { critic }: Asked): Step =>
  (rows) =>
    value === undefined || critic === undefined
      ? TE.right(rows)
      : pipe(
          value.score(critic, rows),
          TE.flatMap((values) =>
            pipe(
              value.estimate(rows, columnOf('rewards')(rows), values),
              TE.map(({ advantages, returns }) =>
                pipe(rows, withColumn('oldValues')(values), withColumn('advantages')(advantages), withColumn('returns')(returns)),
              ),
            ),
          ),
        )

/** The memory's advantages by turn, and which turn's memory each token writes. */
const withMemories =
  (remembered: readonly Remembered[]) =>
  (rows: Rows): Rows =>
    rows.map((row) => {
      const own = new Map(
        remembered.filter(({ trajectory }) => trajectory === row.trajectory).map(({ turn, advantage }) => [turn, advantage]),
      )
      const memoryAdvantages = Array.from({ length: 1 + Math.max(-1, ...own.keys()) }, (_, turn) => own.get(turn) ?? 0)
      const spanTurn = row.turns.map((turn, i) => (row.kinds[i] === 'memory' && own.has(turn) ? turn : -1))
      return { ...row, memoryAdvantages, tokens: { ...row.tokens, spanTurn } }
    })

const ofFields = (field: TokenField, of: Score<DecoderSpecs> | undefined, params: HeldFor<DecoderSpecs> | undefined): Step =>
  of === undefined || params === undefined ? unchanged : reading(field, (rows) => of(params, rows))

/**
 * What the policy wrote, ready to learn from: read again where that is asked for, by the reference, by the critic and by the reward model;
 * paid, less the price of leaving the reference; and compared, within its group or by the critic.
 */
export const prepare =
  <S>(environment: Environment<S>, estimates: Estimates, recomputed: boolean) =>
  (asked: Asked, trajectories: readonly Trajectory<S>[]): TE.TaskEither<TrainError, Prepared> =>
    pipe(
      TE.right(begin(trajectories)),
      TE.flatMap(ofFields('oldLogProbs', recomputed ? estimates.likelihood : undefined, asked.policy)),
      TE.flatMap(ofFields('refLogProbs', estimates.likelihood, asked.reference)),
      TE.flatMap(judged(estimates, asked)),
      TE.flatMap(priced(estimates)),
      TE.flatMap(comparedInGroups(estimates)),
      TE.flatMap(criticised(estimates, asked)),
      TE.bindTo('rows'),
      TE.bind('remembered', () => estimates.memory?.(environment, asked.policy, trajectories) ?? TE.right([])),
      TE.map(({ rows, remembered }) => ({ rows: withMemories(remembered)(rows), remembered })),
    )
