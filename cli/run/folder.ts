import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { disk, readRunConfig, type RunFolderError } from '../../training/index.js'
import { configOf } from './config.js'
import { type Draft, isDraft } from './defaults.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'

const notARun = (folder: string): RunFolderError => ({ tag: 'notARun', folder, because: `its config.json is not that of a run` })

/** The fault of a folder, as a command reports it. */
export const inFolder = (error: RunFolderError): NonEmptyArray<RunCommandError> => [{ tag: 'fault', fault: { tag: 'folder', error } }]

/** What a run was told. */
export const openRun = (folder: string): TE.TaskEither<NonEmptyArray<RunCommandError>, RunConfig> =>
  pipe(
    readRunConfig(disk, folder),
    TE.filterOrElse(
      (json): json is { readonly config: Draft } => isDraft(json) && isDraft(json['config']),
      () => notARun(folder),
    ),
    TE.mapLeft(inFolder),
    TE.flatMap(({ config }) => TE.fromEither<NonEmptyArray<RunCommandError>, RunConfig>(configOf([config], false))),
  )
