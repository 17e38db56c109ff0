import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type AnySpec, type Leaf, sizes, type Value } from '../../dsl/index.js'
import { type CheckpointError, readSafetensors, type Safetensors, storedValue } from '../../models/index.js'
import type { TrainedSpecs } from '../nets.js'
import { checkpoints, checkpointsIn, type ModelFiles } from './checkpoint.js'
import type { RunError } from './error.js'
import type { Files } from './files.js'
import { type Progress, progressSchema, type Stage } from './progress.js'
import { bytesOf, readPolicy, textOf } from './read-policy.js'
import { restLeaves, type Snapshot } from './snapshot.js'

type Checked<A> = TE.TaskEither<CheckpointError, A>

const readProgress = (files: Files, file: string): Checked<Progress> =>
  pipe(
    textOf(files, file),
    TE.flatMapEither((text) =>
      E.tryCatch(
        () => JSON.parse(text) as unknown,
        (error): CheckpointError => ({ tag: 'notJson', file, because: String(error) }),
      ),
    ),
    TE.flatMapEither((json) => {
      const { success, data, error } = progressSchema.safeParse(json)
      const [issue] = error?.issues ?? []
      return success
        ? E.right(data)
        : E.left<CheckpointError>({ tag: 'wrongField', file, path: issue?.path.join('.') ?? '', because: issue?.message ?? 'it is wrong' })
    }),
  )

const shapeOf = ({ axes }: AnySpec): readonly number[] => axes.map(({ size }) => sizes.known(size) ?? 0)

const sameShape = (a: readonly number[], b: readonly number[]): boolean => a.length === b.length && a.every((n, i) => n === b[i])

const tensorFor =
  ({ tensors }: Safetensors) =>
  ({ path: tensor, value: spec }: Leaf<AnySpec>): E.Either<CheckpointError, readonly [string, Value]> => {
    const stored = tensors.get(tensor)
    const needs = shapeOf(spec)
    if (stored === undefined) return E.left({ tag: 'missingTensor', tensor })
    if (!sameShape(stored.shape, needs)) return E.left({ tag: 'wrongShape', tensor, has: stored.shape, needs })
    const value = storedValue(stored)
    const place = value.data.findIndex((x) => !Number.isFinite(x))
    return place < 0 ? E.right([tensor, value]) : E.left({ tag: 'notFinite', tensor, place, value: value.data[place] ?? NaN })
  }

const readRest = (files: Files, file: string, specs: TrainedSpecs): Checked<Snapshot['rest']> =>
  pipe(
    bytesOf(files, file),
    TE.flatMapEither((bytes) =>
      pipe(
        readSafetensors(bytes),
        E.mapLeft((error): CheckpointError => ({ tag: 'notSafetensors', file, error })),
      ),
    ),
    TE.flatMapEither((found) => pipe(restLeaves(specs), E.traverseArray(tensorFor(found)))),
    TE.map((tensors) => new Map(tensors)),
  )

const asDamaged =
  (files: Files, folder: string, checkpoint: string) =>
  <A>(read: Checked<A>): TE.TaskEither<RunError, A> =>
    pipe(
      read,
      TE.orElse<CheckpointError, A, RunError>((because) =>
        pipe(
          checkpointsIn(files, folder),
          TE.map((names) => names.filter((one) => one < checkpoint)),
          TE.flatMap((before) => TE.left<RunError, A>({ tag: 'damaged', folder, checkpoint, because, before })),
        ),
      ),
    )

/** The policy that a run had at a checkpoint. */
export const readPolicyAt = (
  files: Files,
  folder: string,
  model: ModelFiles,
  checkpoint: string,
): TE.TaskEither<RunError, Snapshot['policy']> =>
  pipe(readPolicy(files, join(checkpoints(folder), checkpoint), model), asDamaged(files, folder, checkpoint))

/** Where a run was at a checkpoint, by its state.json alone. */
export const readProgressAt = (files: Files, folder: string, checkpoint: string): TE.TaskEither<RunError, Progress> =>
  pipe(readProgress(files, join(checkpoints(folder), checkpoint, 'state.json')), asDamaged(files, folder, checkpoint))

/** All that a run was at a checkpoint. The nets depend on the stage. */
export const readCheckpoint = (
  files: Files,
  folder: string,
  model: ModelFiles,
  checkpoint: string,
  specsOf: (stage: Stage) => TrainedSpecs,
): TE.TaskEither<RunError, { readonly progress: Progress; readonly snapshot: Snapshot }> => {
  const at = join(checkpoints(folder), checkpoint)
  return pipe(
    TE.Do,
    TE.bind('progress', () => readProgress(files, join(at, 'state.json'))),
    TE.bind('policy', () => readPolicy(files, at, model)),
    TE.bind('rest', ({ progress }) => readRest(files, join(at, 'optimizer.safetensors'), specsOf(progress.stage))),
    TE.map(({ progress, policy, rest }) => ({ progress, snapshot: { policy, rest } })),
    asDamaged(files, folder, checkpoint),
  )
}
