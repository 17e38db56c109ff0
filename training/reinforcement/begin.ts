import { packed } from '../packed.js'
import type { Trajectory } from '../trajectories.js'
import type { Row, TokenField } from './rows.js'
import type { Columns } from './estimates.js'

/** The sequences of trajectories, with what the rollout knows of them: nothing is compared yet. */
export const begin = <S>(trajectories: readonly Trajectory<S>[]): readonly Row[] =>
  trajectories.flatMap(({ turns, group, reward }, trajectory) =>
    packed(turns).map((sequence) => ({
      ...{ ...sequence, trajectory, group, reward: reward.value, advantage: 0, memoryAdvantages: [] },
      tokens: {
        oldLogProbs: sequence.logProbs,
        rolloutLogProbs: sequence.samplingLogProbs,
        memoryMask: sequence.kinds.map((kind) => (kind === 'memory' ? 1 : 0)),
      },
    })),
  )

/** Rows that know a number more of each token. */
export const withColumn =
  (field: TokenField) =>
  (columns: Columns) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.map((row, i) => ({ ...row, tokens: { ...row.tokens, [field]: columns[i] ?? [] } }))

export const columnOf =
  (field: TokenField) =>
  (rows: readonly Row[]): Columns =>
    rows.map(({ tokens, answer }) => tokens[field] ?? answer.map(() => 0))

/** Rows whose trajectories earned something else. */
export const earning =
  (rewards: readonly number[]) =>
  (rows: readonly Row[]): readonly Row[] =>
    rows.map((row) => ({ ...row, reward: rewards[row.trajectory] ?? row.reward }))

/** A number for each trajectory, the sum over its rows. */
export const byTrajectory = (rows: readonly Row[], count: number, of: (row: Row, i: number) => number): readonly number[] => {
  const sums = Array.from({ length: count }, () => 0)
  rows.forEach((row, i) => (sums[row.trajectory] = (sums[row.trajectory] ?? 0) + of(row, i)))
  return sums
}
