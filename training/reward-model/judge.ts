import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { clip, mul, program } from '../../dsl/index.js'
import { type DecoderConfig, judgeSpecs, type JudgeSpecs } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import type { HeldFor } from '../held.js'
import { load, run } from '../load.js'
import type { Row } from '../reinforcement/rows.js'
import { lengthOf, scores, wholeSpecs, wholeValues } from './score.js'

/** How a frozen model of rewards pays. */
export interface JudgeSettings {
  /** What a point of its score is worth in the reward. */
  readonly weight: number
  /** Scores are clipped to ± this; 3 if not said. */
  readonly most?: number
}

/** The last sequence of each trajectory, in the order of the trajectories: what it ended with is what it is judged by. */
export const lastRows = (rows: readonly Row[]): readonly Row[] => rows.filter(({ trajectory }, i) => rows[i + 1]?.trajectory !== trajectory)

/** What a frozen model of rewards pays for each trajectory of some rows. */
export type Judge = (params: HeldFor<JudgeSpecs>, rows: readonly Row[]) => TE.TaskEither<TrainError, readonly number[]>

/** Make a judge ready on a device: weight · clip(score, −most, most) for each trajectory. */
export const loadJudge = (
  device: Device,
  config: DecoderConfig,
  { weight, most = 3 }: JudgeSettings,
  padId: number,
): TE.TaskEither<TrainError, Judge> =>
  pipe(
    load(device)('reward model', () =>
      program({
        inputs: { params: judgeSpecs(config), whole: wholeSpecs },
        body: ({ params, whole }) => ({
          outputs: { paid: mul(weight, pipe(scores(config)(params, whole), clip(-most, most))) },
        }),
      }),
    ),
    TE.map((loaded) => (params, rows) => {
      const last = lastRows(rows)
      const width = Math.max(1, ...last.map(lengthOf))
      return pipe(
        run('reward model', loaded, { params, whole: wholeValues(last, { padId, width }) }),
        TE.map(({ paid }) => [...paid.data]),
      )
    }),
  )
