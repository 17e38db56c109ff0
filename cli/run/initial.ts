import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type CheckpointError, type DecoderSpecs, readModel, type ValuesOf } from '../../models/index.js'
import { isModelOf } from '../../training/index.js'
import type { RunCommandError } from './error.js'
import type { Prepared } from './plan.js'

type Policy = ValuesOf<DecoderSpecs>

/** The policy of country search after its warm start, as `npm run warm-start` makes it. */
const warmStart = fileURLToPath(new URL('../../tasks/country-search/warm-start', import.meta.url))

const folderOf = (init: string): string => (init === 'warm-start' ? warmStart : init)

const tokenizerIn = (folder: string): TE.TaskEither<CheckpointError, string> => {
  const file = join(folder, 'tokenizer.json')
  return TE.tryCatch(
    () => readFile(file, 'utf8'),
    (error): CheckpointError => ({ tag: 'unreadable', file, because: String(error) }),
  )
}

const another = (file: string, path: string, because: string): CheckpointError => ({ tag: 'wrongField', file, path, because })

const read = (folder: string, { model }: Prepared): TE.TaskEither<CheckpointError, Policy> =>
  pipe(
    readModel(folder),
    TE.mapLeft(([first]) => first),
    TE.filterOrElse(isModelOf(model), () =>
      another(join(folder, 'config.json'), 'architectures', `its sizes are not those of the run's model`),
    ),
    TE.tap(() =>
      pipe(
        tokenizerIn(folder),
        TE.filterOrElse(
          (text) => text === model.tokenizer,
          () => another(join(folder, 'tokenizer.json'), 'model', `its words are not those of the task`),
        ),
      ),
    ),
    TE.map(({ parameters }) => parameters),
  )

/** What a new run's policy is before its first step; undefined where it is drawn from the seed. */
export const initialOf = (prepared: Prepared): TE.TaskEither<NonEmptyArray<RunCommandError>, Policy | undefined> => {
  const { init } = prepared.config
  if (init === 'random') return TE.right(undefined)
  const folder = folderOf(init)
  return pipe(
    read(folder, prepared),
    TE.mapLeft((because): NonEmptyArray<RunCommandError> => [{ tag: 'noInit', folder, because }]),
  )
}

/** A run with the policy that it begins with, where there is one. */
export const withInitial = (prepared: Prepared): TE.TaskEither<NonEmptyArray<RunCommandError>, Prepared> =>
  pipe(
    initialOf(prepared),
    TE.map((initial) => (initial === undefined ? prepared : { ...prepared, plan: { ...prepared.plan, initial } })),
  )
