import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, extname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { importFile } from '../load.js'
import { isJsonObject } from '../json-object.js'
import { type Draft, over } from './defaults.js'
import type { RunCommandError } from './error.js'
import { foundFrom } from './flags.js'

const draftIn =
  (file: string) =>
  (value: unknown): E.Either<RunCommandError, Draft> => {
    if (!isJsonObject(value)) return E.left({ tag: 'notAConfig', file, because: `it is no record of settings` })
    const { $schema: _, ...draft } = value
    // The config.json of a run has what it was told beside where it ran.
    return E.right(isJsonObject(draft['config']) && 'axgrad' in draft ? draft['config'] : draft)
  }

const json = (file: string): TE.TaskEither<RunCommandError, unknown> =>
  TE.tryCatch(
    async () => JSON.parse(await readFile(file, 'utf8')) as unknown,
    (error): RunCommandError => ({ tag: 'notAConfig', file, because: E.toError(error).message }),
  )

const exported = (file: string): TE.TaskEither<RunCommandError, unknown> =>
  pipe(
    importFile(file),
    TE.map((module) => {
      const inner = module['default'] ?? module['config']
      return isJsonObject(inner) && isJsonObject(inner['default']) ? inner['default'] : inner
    }),
  )

/** The draft of a file, whose loss is named from where the file is. */
const withLossFrom =
  (folder: string) =>
  (draft: Draft): Draft => {
    const { reinforcement } = draft
    const named = isJsonObject(reinforcement) ? reinforcement['lossFile'] : undefined
    return typeof named === 'string' ? over(draft, { reinforcement: { lossFile: foundFrom(named, folder, '.') } }) : draft
  }

/** The settings in a file: JSON, or what a .ts or .js file exports as its default or as `config`. */
export const readConfigFile = (file: string): TE.TaskEither<RunCommandError, Draft> =>
  !existsSync(file)
    ? TE.left({ tag: 'notAConfig', file, because: `there is no such file` })
    : pipe(extname(file) === '.json' ? json(file) : exported(file), TE.flatMapEither(draftIn(file)), TE.map(withLossFrom(dirname(file))))
