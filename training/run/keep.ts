import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { checkpointName, checkpoints, checkpointsIn } from './checkpoint.js'
import type { RunError } from './error.js'
import { type Files, replaceFile, writing } from './files.js'
import type { Evaluation } from './progress.js'

/** Which checkpoints of a run stay, besides the best. */
export interface Keeping {
  /** How many of the newest, one at least. */
  readonly newest: number
  /** After which step the reinforcement begins: what the policy is compared with is read from there. */
  readonly base: number
}

/** After which step the policy earned most, answering greedily; of equal ones the first. */
const bestStep = (evaluations: readonly Evaluation[]): number | undefined => {
  const earned = ({ greedy }: Evaluation): number => greedy['reward']?.mean ?? -Infinity
  return evaluations.reduce<Evaluation | undefined>(
    (best, one) => (best === undefined || earned(one) > earned(best) ? one : best),
    undefined,
  )?.step
}

/** Name the best checkpoint in the file `best`, and remove those that are neither that one nor to be kept. */
export const keepCheckpoints = (
  files: Files,
  folder: string,
  { newest, base }: Keeping,
  evaluations: readonly Evaluation[],
): TE.TaskEither<RunError, void> => {
  const best = bestStep(evaluations)
  const kept = [base, ...(best === undefined ? [] : [best])].map(checkpointName)
  const named: TE.TaskEither<RunError, unknown> =
    best === undefined ? TE.right(undefined) : replaceFile(files, join(folder, 'best'), `${checkpointName(best)}\n`)
  return pipe(
    named,
    TE.flatMap(() => checkpointsIn(files, folder)),
    TE.map((names) => names.slice(newest).filter((name) => !kept.includes(name))),
    TE.flatMap(TE.traverseSeqArray((name) => writing(name, () => files.remove(join(checkpoints(folder), name))))),
    TE.map(() => undefined),
  )
}
