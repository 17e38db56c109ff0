import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { bradleyTerryLoss, mapPair, type Pair } from '../../algorithms/index.js'
import type { Device } from '../../backends/backend.js'
import { greater, type Key, mean, random, sub, type Tensor, type TensorsOf, toF32 } from '../../dsl/index.js'
import { type DecoderConfig, type JudgeParameters, judgeSpecs, type JudgeSpecs } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import type { AdamWSettings } from '../adamw.js'
import type { TrainError } from '../errors.js'
import { type Batch, type Learner, loadLearner } from '../learner.js'
import { playOracle } from '../oracle.js'
import { begin } from '../reinforcement/begin.js'
import { pairsOf } from '../reinforcement/rounds.js'
import { linearDecay } from '../schedules.js'
import type { Learning } from '../step-program.js'
import { drawProblems, rollOut, type Speak, type Trajectory } from '../trajectories.js'
import { lastRows } from './judge.js'
import { lengthOf, scores, wholeSpecs, wholeValues } from './score.js'

/** Whose episodes are compared: the policy's, or the oracle's among them. */
export type PairSource = 'rollouts' | 'oracle'

/** How a model of rewards learns from what a policy plays. */
export interface RewardModelSettings {
  readonly steps: number
  /** `rollouts` if not said. */
  readonly pairs?: PairSource
  /** Problems a step, and how often each is played: the best and the worst of a problem are a pair. */
  readonly questions: number
  readonly answers: number
  readonly learningRate: number
  /** Over which share of the steps, the last ones, the learning rate falls in a line to 0. */
  readonly decay: number
  readonly optimizer: AdamWSettings
  readonly maxNorm: number
}

const pairSpecs = { chosen: wholeSpecs, rejected: wholeSpecs }
type Pairs = typeof pairSpecs

const scored = (config: DecoderConfig, params: JudgeParameters, pairs: TensorsOf<Pairs>): Pair<Tensor<'batch'>> =>
  mapPair((whole: TensorsOf<typeof wholeSpecs>) => scores(config)(params, whole))(pairs)

const learningOf = (config: DecoderConfig, { optimizer, maxNorm }: RewardModelSettings): Learning<JudgeSpecs, Pairs> => ({
  ...{ name: 'reward model', parameters: judgeSpecs(config), batch: pairSpecs, optimizer, maxNorm },
  loss: (params, pairs) => bradleyTerryLoss(scored(config, params, pairs)),
  metrics: (params, pairs) => {
    const { chosen, rejected } = scored(config, params, pairs)
    return { right: pipe(greater(chosen, rejected), toF32, mean('batch')), margin: pipe(sub(chosen, rejected), mean('batch')) }
  },
})

/** What a step's report says besides: how many pairs it had. */
export interface PairCount {
  readonly pairs: number
}

/** The pairs of what was played, as a step is given them; undefined where each problem's answers all earned the same. */
const batchOf = (rows: ReturnType<typeof begin>, padId: number): Batch<Pairs, PairCount> | undefined => {
  const pairs = pairsOf(lastRows(rows))
  if (pairs.length === 0) return undefined
  const width = Math.max(...pairs.flat().map(lengthOf))
  const side = (at: 0 | 1) =>
    wholeValues(
      pairs.map((pair) => pair[at]!),
      { padId, width },
    )
  return { given: { chosen: side(0), rejected: side(1) }, about: { pairs: pairs.length } }
}

type Made = Batch<Pairs, PairCount>

/** What a step is given, counted from 0; undefined where it has no pair. It depends on the key and its number alone. */
type BatchAt = <S>(environment: Environment<S>, speak: Speak, key: Key) => (step: number) => TE.TaskEither<TrainError, Made | undefined>

/** A model of rewards that is ready to learn. */
export interface RewardModel {
  readonly learner: Learner<JudgeSpecs, Pairs>
  readonly batchAt: BatchAt
}

/** What the oracle does with each problem, as one more answer of its group. */
const beside: {
  readonly [P in PairSource]: <S>(environment: Environment<S>, key: Key) => (problems: readonly S[]) => Played<S>
} = {
  rollouts: () => () => TE.right([]),
  oracle: playOracle,
}

type Played<S> = TE.TaskEither<TrainError, readonly Trajectory<S>[]>

const batchAt =
  ({ questions, answers: members, pairs = 'rollouts' }: RewardModelSettings): BatchAt =>
  (environment, speak, key) =>
  (step) => {
    const own = random.fold(key, step)
    const problems = drawProblems(environment, 'train', questions, random.fold(own, 0))
    return pipe(
      TE.Do,
      TE.bind('played', () => rollOut(environment, speak, { members, key: random.fold(own, 1) })(problems)),
      TE.bind('shown', () => beside[pairs](environment, random.fold(own, 2))(problems)),
      TE.map(({ played, shown }) => batchOf(begin([...played, ...shown]), environment.padId)),
    )
  }

/**
 * Make a model of rewards ready to learn on a device: of the best and the worst answer to each problem it is taught to score
 * the best higher, by Bradley and Terry's likelihood. It begins as `newJudge`.
 */
export const loadRewardModel = (
  device: Device,
  config: DecoderConfig,
  settings: RewardModelSettings,
): TE.TaskEither<TrainError, RewardModel> =>
  pipe(
    loadLearner(device)(learningOf(config, settings), linearDecay(settings)),
    TE.map((learner) => ({ learner, batchAt: batchAt(settings) })),
  )
