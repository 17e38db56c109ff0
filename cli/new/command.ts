import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, join, relative, resolve } from 'node:path'
import type { Command } from 'commander'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { report } from '../../dsl/index.js'
import { disk, replaceFile } from '../../training/index.js'
import { exit } from '../arguments.js'
import { filesOf } from './files.js'

/** What keeps a folder from being made. */
export type NewError =
  { readonly tag: 'occupied'; readonly folder: string } | { readonly tag: 'cannotMake'; readonly folder: string; readonly because: string }

/** Three lines: what and where, because, try. */
export const renderNewError = (error: NewError): string =>
  error.tag === 'occupied'
    ? report(`axgrad new ${error.folder}`, `there is something of this name already`, `give another name; nothing was changed`)
    : report(`axgrad new ${error.folder}`, error.because, `give a name in a folder that is yours to write in`)

/** Where an editor finds what a config may say, as seen from a folder. */
const schemaFrom = (folder: string): string =>
  relative(resolve(folder), createRequire(import.meta.url).resolve('axgrad/config.schema.json'))

/** A folder with a loss, its gradient check and a config; all of it or nothing. */
export const makeNew = (folder: string): TE.TaskEither<NewError, readonly string[]> => {
  if (existsSync(folder)) return TE.left({ tag: 'occupied', folder })
  const files = Object.entries(filesOf(basename(resolve(folder)), schemaFrom(folder))).map(
    ([name, text]) => [join(folder, name), text] as const,
  )
  return pipe(
    TE.tryCatch(
      () => mkdir(folder),
      (error) => E.toError(error).message,
    ),
    TE.flatMap(() =>
      pipe(
        files,
        TE.traverseSeqArray(([file, text]) =>
          pipe(
            replaceFile(disk, file, text),
            TE.mapLeft(({ because }) => because),
          ),
        ),
      ),
    ),
    TE.bimap(
      (because): NewError => ({ tag: 'cannotMake', folder, because }),
      () => files.map(([file]) => file),
    ),
  )
}

const begin = async (folder: string): Promise<number> => {
  const made = await makeNew(folder)()
  if (E.isLeft(made)) {
    console.error(renderNewError(made.left))
    return exit.badUsage
  }
  console.log(`${made.right.join('\n')}\n\ngo on with: cd ${folder} && npx axgrad check loss.ts`)
  return exit.passed
}

/** axgrad new NAME: a loss to begin with. */
export const addNew = (program: Command, ends: (code: number) => void): Command =>
  program
    .command('new')
    .description('make a folder with a loss, its gradient check and a config to train it by')
    .argument('<name>', 'the name of the folder, which is also that of the loss')
    .addHelpText('after', '\nExample: axgrad new my-loss')
    .action(async (name: string) => {
      ends(await begin(name))
    })
