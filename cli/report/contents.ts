import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Files, readRunConfig, type RunFolderError } from '../../training/index.js'
import { isJsonObject, type JsonObject } from '../json-object.js'

/** What the folder of a run has, as text; a file that is not there is undefined. */
export interface RunContents {
  readonly folder: string
  /** What config.json says. */
  readonly told: JsonObject
  readonly metrics: string | undefined
  readonly timing: string | undefined
  /** The files of the folder `transcripts` by name, in the order of their steps. */
  readonly transcripts: readonly (readonly [name: string, text: string])[]
  /** The names of the files of the folder `faults`. */
  readonly faults: readonly string[]
}

const textIn =
  (files: Files) =>
  (file: string): T.Task<string | undefined> =>
    pipe(
      TE.tryCatch(
        () => files.read(file),
        () => undefined,
      ),
      TE.match(
        () => undefined,
        (bytes) => new TextDecoder().decode(bytes),
      ),
    )

const namesIn = (files: Files, folder: string): T.Task<readonly string[]> =>
  pipe(
    TE.tryCatch(
      () => files.list(folder),
      () => undefined,
    ),
    TE.match(
      () => [],
      (names) => names.toSorted(),
    ),
  )

const transcriptsIn = (files: Files, folder: string): T.Task<RunContents['transcripts']> =>
  pipe(
    namesIn(files, folder),
    T.flatMap((names) => T.sequenceArray(names.map((name) => pipe(textIn(files)(join(folder, name)), T.map((text) => [name, text ?? ''] as const))))), // prettier-ignore
  )

/** Read what a run has left. Only its config.json must be there: a run that has just begun has nothing else. */
export const readContents = (files: Files, folder: string): TE.TaskEither<RunFolderError, RunContents> =>
  pipe(
    readRunConfig(files, folder),
    TE.filterOrElse(
      (told): told is RunContents['told'] => isJsonObject(told) && isJsonObject(told['config']),
      (): RunFolderError => ({ tag: 'notARun', folder, because: `its config.json is not that of a run` }),
    ),
    TE.flatMapTask((told) =>
      pipe(
        T.Do,
        T.bind('metrics', () => textIn(files)(join(folder, 'metrics.jsonl'))),
        T.bind('timing', () => textIn(files)(join(folder, 'timing.jsonl'))),
        T.bind('transcripts', () => transcriptsIn(files, join(folder, 'transcripts'))),
        T.bind('faults', () => namesIn(files, join(folder, 'faults'))),
        T.map((read): RunContents => ({ folder, told, ...read })),
      ),
    ),
  )
