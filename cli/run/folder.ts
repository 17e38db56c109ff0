import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/index.js'
import {
  beginRun,
  disk,
  type Progress,
  readRunConfig,
  type Resumed,
  resumeRun,
  type RunFolderError,
  writeRunConfig,
} from '../../training/index.js'
import { isJsonObject } from '../json-object.js'
import { configOf } from './config.js'
import type { Draft } from './defaults.js'
import type { RunCommandError } from './error.js'
import type { Prepared } from './plan.js'
import type { RunConfig } from './schema.js'
import { versions } from './versions.js'

type Errors = NonEmptyArray<RunCommandError>

const notARun = (folder: string): RunFolderError => ({ tag: 'notARun', folder, because: `its config.json is not that of a run` })

/** The fault of a folder, as a command reports it. */
export const inFolder = (error: RunFolderError): Errors => [{ tag: 'fault', fault: { tag: 'folder', error } }]

/** What a run was told, and the hash of the loss of its own. */
export interface BegunRun {
  readonly config: RunConfig
  readonly lossHash?: string
}

/** What a run was begun as. */
export const openRun = (folder: string): TE.TaskEither<Errors, BegunRun> =>
  pipe(
    readRunConfig(disk, folder),
    TE.filterOrElse(
      (json): json is { readonly config: Draft; readonly lossHash?: unknown } => isJsonObject(json) && isJsonObject(json['config']),
      () => notARun(folder),
    ),
    TE.mapLeft(inFolder),
    TE.bindTo('json'),
    TE.bind('config', ({ json }) => TE.fromEither<Errors, RunConfig>(configOf([json.config], false))),
    TE.map(({ json: { lossHash }, config }) => ({ config, ...(typeof lossHash === 'string' && { lossHash }) })),
  )

/** Why a run does not go on by its loss, if that became another since. */
export const lossFault = ({ lossHash: before = 'none' }: BegunRun, { config, lossHash: now = 'none' }: Prepared): Errors | undefined =>
  before === now
    ? undefined
    : inFolder({
        ...{ tag: 'differs', what: `the loss in ${config.reinforcement.lossFile ?? 'no file'}`, run: before, asked: now },
        attempt: `make it what it was when the run began, or begin a new run with --out`,
      })

/** What a run's numbers come from. */
export type Origin = Pick<Progress, 'seed' | 'adapter' | 'fma'>

export const originOf = ({ config }: Prepared, { facts: { adapter, features } }: Device): Origin => ({
  ...{ seed: config.seed, adapter, fma: features.includes('relaxed-simd') },
})

/** A new folder, or what is to be resumed of an old one; its config.json says what the run is by from here on. */
export const folderFor = (
  { config, model, plan, lossHash }: Prepared,
  folder: string,
  origin: Origin,
  isResumed: boolean,
): TE.TaskEither<Errors, Resumed | undefined> => {
  const json = { ...versions, ...origin, ...(lossHash !== undefined && { lossHash }), config }
  return pipe(
    isResumed
      ? pipe(
          resumeRun(disk, folder, model, plan, origin),
          TE.tap(() => writeRunConfig(disk, folder, json)),
        )
      : pipe(
          beginRun(disk, folder, json),
          TE.map(() => undefined),
        ),
    TE.mapLeft(inFolder),
  )
}
