import { join } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CheckpointError, type DecoderSpecs, readModel, type ValuesOf } from '../../models/index.js'
import { isModelOf, type ModelFiles } from './checkpoint.js'
import { type Files, reading } from './files.js'

type Checked<A> = TE.TaskEither<CheckpointError, A>

export const bytesOf = (files: Files, file: string): Checked<Uint8Array> =>
  pipe(
    reading(files, file),
    TE.mapLeft((error): CheckpointError => ({ tag: 'unreadable', file, because: error.because })),
  )

export const textOf = (files: Files, file: string): Checked<string> =>
  TE.map((bytes: Uint8Array) => new TextDecoder().decode(bytes))(bytesOf(files, file))

const another = (file: string, path: string, because: string): CheckpointError => ({ tag: 'wrongField', file, path, because })

const sameWords = (files: Files, file: string, { tokenizer }: ModelFiles): Checked<string> =>
  pipe(
    textOf(files, file),
    TE.filterOrElse(
      (text) => text === tokenizer,
      () => another(file, 'model', `its words are not those of the run's task`),
    ),
  )

/** The policy that a folder holds, which must be of a run's model and write its words. */
export const readPolicy = (files: Files, folder: string, model: ModelFiles): Checked<ValuesOf<DecoderSpecs>> =>
  pipe(
    readModel(folder),
    TE.mapLeft(([first]) => first),
    TE.filterOrElse(isModelOf(model), () =>
      another(join(folder, 'config.json'), 'architectures', `its sizes are not those of the run's model`),
    ),
    TE.tap(() => sameWords(files, join(folder, 'tokenizer.json'), model)),
    TE.map(({ parameters }) => parameters),
  )
