import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type DecoderConfig, familyFor, type ModelCard, printConfig, safetensorsParts, tensorsOf } from '../../models/index.js'
import type { RunError } from './error.js'
import { type Files, placeFolder, reading, replaceFile } from './files.js'
import type { Progress } from './progress.js'
import type { Snapshot } from './snapshot.js'

/** What the model of a run is written as. */
export interface ModelFiles {
  readonly config: DecoderConfig
  readonly stopIds: readonly number[]
  /** The text of tokenizer.json. */
  readonly tokenizer: string
}

/** Where the checkpoints of a run are. */
export const checkpoints = (folder: string): string => join(folder, 'checkpoints')

/** `000060`. */
export const checkpointName = (step: number): string => String(step).padStart(6, '0')

/** The config.json of the model: a decoder of whatever kind has a family, since a run's has no biases beside norms of heads. */
export const configText = ({ config, stopIds }: ModelFiles): string =>
  pipe(
    familyFor(config),
    E.match(
      () => '',
      (family) => printConfig({ family, config, stopIds }),
    ),
  )

/** Whether what a folder holds is the model of a run. */
export const isModelOf =
  (model: ModelFiles) =>
  (stored: ModelCard): boolean =>
    printConfig(stored) === configText(model)

const pretty = (json: unknown): string => `${JSON.stringify(json, null, 2)}\n`

/** Write a checkpoint, whole or not at all, and name it the newest. */
export const writeCheckpoint =
  (files: Files, folder: string, model: ModelFiles) =>
  (progress: Progress, { policy, rest }: Snapshot): TE.TaskEither<RunError, string> => {
    const name = checkpointName(progress.step)
    const contents = {
      'config.json': configText(model),
      'tokenizer.json': model.tokenizer,
      'model.safetensors': safetensorsParts(tensorsOf(model.config, policy)),
      'optimizer.safetensors': safetensorsParts(rest),
      'state.json': pretty(progress),
    }
    return pipe(
      placeFolder(files, join(checkpoints(folder), name), contents),
      TE.flatMap(() => replaceFile(files, join(folder, 'latest'), `${name}\n`)),
      TE.map(() => name),
    )
  }

const isCheckpoint = (name: string): boolean => /^\d+$/.test(name)

/** The names of a run's checkpoints, the newest first; none where there is no folder of them. */
export const checkpointsIn = (files: Files, folder: string): TE.TaskEither<never, readonly string[]> =>
  pipe(
    TE.tryCatch(
      () => files.list(checkpoints(folder)),
      () => undefined,
    ),
    TE.map((names) => names.filter(isCheckpoint).toSorted((x, y) => (x < y ? 1 : -1))),
    TE.orElse(() => TE.right<never, readonly string[]>([])),
  )

const namedBy = (files: Files, folder: string, file: string): TE.TaskEither<RunError, string> =>
  pipe(
    reading(files, join(folder, file)),
    TE.mapLeft((): RunError => ({ tag: 'noCheckpoint', folder })),
    TE.map((bytes) => new TextDecoder().decode(bytes).trim()),
    TE.filterOrElse(isCheckpoint, (): RunError => ({ tag: 'noCheckpoint', folder })),
  )

/** The name of the newest checkpoint. */
export const latest = (files: Files, folder: string): TE.TaskEither<RunError, string> => namedBy(files, folder, 'latest')

/** The name of a checkpoint by what somebody calls it: `latest`, `best`, or its step. */
export const findCheckpoint = (files: Files, folder: string, called: string): TE.TaskEither<RunError, string> => {
  if (called === 'latest') return latest(files, folder)
  return pipe(
    called === 'best' ? namedBy(files, folder, called) : TE.right<RunError, string>(called.padStart(6, '0')),
    TE.orElse(() => TE.right<RunError, string>(called)),
    TE.bindTo('name'),
    TE.bindW('has', () => checkpointsIn(files, folder)),
    TE.flatMap(({ name, has }) =>
      has.includes(name) ? TE.right(name) : TE.left<RunError>({ tag: 'noSuchCheckpoint', folder, called, has }),
    ),
  )
}
