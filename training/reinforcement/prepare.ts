import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { DecoderSpecs, JudgeSpecs } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import { sum } from '../metrics/statistics.js'
import { type Judge, lastRows } from '../reward-model/judge.js'
import type { Trajectory } from '../trajectories.js'
import { begin, byTrajectory, columnOf, earning, withColumn } from './begin.js'
import type { Columns, CriticEstimate, GroupEstimate, Price } from './estimates.js'
import { type MemoryEstimate, noMemories, type Remembered } from './memory.js'
import { type Pass, type Passes, withPass } from './passes.js'
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

/** Rows that are ready to learn from, what their memories were worth, and what was read for it. */
export interface Prepared {
  readonly rows: readonly Row[]
  readonly remembered: readonly Remembered[]
  readonly passes: Passes
}

type Rows = readonly Row[]
type OnRows = (rows: Rows) => TE.TaskEither<TrainError, Rows>

/** Rows on their way, and what was read of them so far. */
type Made = Omit<Prepared, 'remembered'>
type Step = (made: Made) => TE.TaskEither<TrainError, Made>

const unchanged: Step = (made) => TE.right(made)

const computing =
  (of: OnRows): Step =>
  ({ rows, passes }) =>
    pipe(
      of(rows),
      TE.map((made) => ({ rows: made, passes })),
    )

/** A step for which a net reads all rows, or those that are named. */
const readingFor =
  (pass: Pass, of: OnRows, read: (rows: Rows) => Rows = (rows) => rows): Step =>
  ({ rows, passes }) =>
    pipe(
      of(rows),
      TE.map((made) => ({ rows: made, passes: withPass(pass, read(rows).length)(passes) })),
    )

const reading = (pass: Pass, field: TokenField, read: (rows: Rows) => TE.TaskEither<TrainError, Columns>): Step =>
  readingFor(pass, (rows) =>
    pipe(
      read(rows),
      TE.map((columns) => withColumn(field)(columns)(rows)),
    ),
  )

const counted = (rows: Rows): number => 1 + Math.max(-1, ...rows.map(({ trajectory }) => trajectory))

const judged = ({ judge }: Estimates, { rewardModel }: Asked): Step =>
  judge === undefined || rewardModel === undefined
    ? unchanged
    : readingFor(
        'rewardModel',
        (rows) =>
          pipe(
            judge(rewardModel, rows),
            TE.map((scores) => rows.map((row) => ({ ...row, reward: row.reward + (scores[row.trajectory] ?? 0) }))),
          ),
        lastRows,
      )

const lastWritten = ({ answerMask }: Row): number => answerMask.lastIndexOf(true)

/** What a row earned, at its last token. */
const atLast = (row: Row): readonly number[] => row.answer.map((_, i) => (i === lastWritten(row) ? row.reward : 0))

/** The rewards of tokens and trajectories, less the price of leaving the reference. */
const priced =
  ({ price }: Estimates): OnRows =>
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
  ({ group }: Estimates): OnRows =>
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

const criticised = ({ value }: Estimates, { critic }: Asked): Step =>
  value === undefined || critic === undefined
    ? unchanged
    : readingFor('critic', (rows) =>
        pipe(
          value.score(critic, rows),
          TE.flatMap((values) =>
            pipe(
              value.estimate(rows, columnOf('rewards')(rows), values),
              TE.map(({ advantages, returns }) =>
                pipe(rows, withColumn('oldValues')(values), withColumn('advantages')(advantages), withColumn('returns')(returns)),
              ),
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

const likelihoods = (
  pass: Pass,
  field: TokenField,
  of: Score<DecoderSpecs> | undefined,
  params: HeldFor<DecoderSpecs> | undefined,
): Step => (of === undefined || params === undefined ? unchanged : reading(pass, field, (rows) => of(params, rows)))

/**
 * What the policy wrote, ready to learn from: read again where that is asked for, by the reference, by the critic and by the reward model;
 * paid, less the price of leaving the reference; and compared, within its group or by the critic.
 */
export const prepare =
  <S>(environment: Environment<S>, estimates: Estimates, recomputed: boolean) =>
  (asked: Asked, trajectories: readonly Trajectory<S>[]): TE.TaskEither<TrainError, Prepared> =>
    pipe(
      TE.right({ rows: begin(trajectories), passes: withPass('rollout', trajectories.flatMap(({ turns }) => turns).length)({}) }),
      TE.flatMap(likelihoods('old', 'oldLogProbs', recomputed ? estimates.likelihood : undefined, asked.policy)),
      TE.flatMap(likelihoods('reference', 'refLogProbs', estimates.likelihood, asked.reference)),
      TE.flatMap(judged(estimates, asked)),
      TE.flatMap(computing(priced(estimates))),
      TE.flatMap(computing(comparedInGroups(estimates))),
      TE.flatMap(criticised(estimates, asked)),
      TE.bind('memories', () => estimates.memory?.(environment, asked.policy, trajectories) ?? TE.right(noMemories)),
      TE.map(({ rows, passes, memories: { remembered, sequences } }) => ({
        ...{ rows: withMemories(remembered)(rows), remembered },
        passes: withPass('probes', sequences)(passes),
      })),
    )
