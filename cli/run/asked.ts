import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RunFolderError } from '../../training/index.js'
import { isJsonObject } from '../json-object.js'
import { readConfigFile } from './config-file.js'
import { configOf, firstDifference } from './config.js'
import type { Draft } from './defaults.js'
import type { RunCommandError } from './error.js'
import { draftOf, type TrainFlags } from './flags.js'
import { type BegunRun, inFolder, openRun } from './folder.js'
import type { RunConfig } from './schema.js'

type Errors = NonEmptyArray<RunCommandError>

/** What a run is to be, and what it was begun as where it goes on. */
export interface Asked {
  readonly config: RunConfig
  readonly begun?: BegunRun
}

const inFile = (file: string | undefined): TE.TaskEither<Errors, readonly Draft[]> =>
  file === undefined
    ? TE.right([])
    : pipe(
        readConfigFile(file),
        TE.bimap(
          (error): Errors => [error],
          (draft) => [draft],
        ),
      )

const namesLoss = ({ reinforcement }: Draft): boolean => isJsonObject(reinforcement) && reinforcement['lossFile'] !== undefined

/** The drafts with what the flags say, unless that is a loss beside another. */
const withFlags =
  (flags: TrainFlags) =>
  (drafts: readonly Draft[]): E.Either<Errors, readonly Draft[]> =>
    flags.algorithm !== undefined && (flags.loss !== undefined || drafts.some(namesLoss))
      ? E.left([{ tag: 'twoLosses' }])
      : E.right([...drafts, draftOf(flags)])

/** What may not change in a run: it may go further, write more or less, and run elsewhere if that rounds alike. Its loss is known by its hash. */
const kept = ({ reinforcement, evaluation, ...config }: RunConfig): unknown => ({
  ...config,
  ...{ device: '', strict: false, threads: 0, checkpoint: 0, transcripts: 0 },
  reinforcement: { ...reinforcement, steps: 0, lossName: '', ...(reinforcement.lossFile !== undefined && { lossFile: 'a file' }) },
  evaluation: { ...evaluation, every: 0 },
})

/** Why a run is not the one to go on with. */
const unlike = (before: RunConfig, now: RunConfig): RunFolderError | undefined => {
  const found = firstDifference(kept(before), kept(now))
  return (
    found && {
      ...{ tag: 'differs', what: `'${found.path}'`, run: found.left, asked: found.right },
      attempt: `leave it as it was, or begin a new run with --out`,
    }
  )
}

const toResume = (folder: string, flags: TrainFlags, file: readonly Draft[]): TE.TaskEither<Errors, Asked> =>
  pipe(
    openRun(folder),
    TE.bindTo('begun'),
    TE.bindW('config', ({ begun: { config } }) =>
      pipe(
        withFlags(flags)([config as unknown as Draft, ...file]),
        E.flatMap((drafts): E.Either<Errors, RunConfig> => configOf(drafts, false)),
        TE.fromEither,
      ),
    ),
    TE.flatMap(({ begun, config }): TE.TaskEither<Errors, Asked> => {
      const error = unlike(begun.config, config)
      return error === undefined ? TE.right({ begun, config }) : TE.left(inFolder(error))
    }),
  )

/** The run to begin or to go on with. */
export const asked = (file: string | undefined, flags: TrainFlags): TE.TaskEither<Errors, Asked> =>
  pipe(
    inFile(file),
    TE.flatMap((drafts) =>
      flags.resume !== undefined
        ? toResume(flags.resume, flags, drafts)
        : pipe(
            withFlags(flags)(drafts),
            E.flatMap((all): E.Either<Errors, RunConfig> => configOf(all, flags.quick === true)),
            E.map((config): Asked => ({ config })),
            TE.fromEither,
          ),
    ),
  )
