import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Errors } from './error.js'

const isMissing = (because: unknown): boolean =>
  typeof because === 'object' && because !== null && 'code' in because && because.code === 'ENOENT'

/** The bytes of a file; undefined where there is none. */
export const bytesOf = (folder: string, file: string): TE.TaskEither<Errors, Uint8Array | undefined> =>
  TE.tryCatch(
    () => readFile(join(folder, file)).catch((because: unknown) => (isMissing(because) ? undefined : Promise.reject(because as Error))),
    (because): Errors => [{ tag: 'unreadable', file: join(folder, file), because: String(because) }],
  )

const present =
  (folder: string, file: string) =>
  (bytes: Uint8Array | undefined): E.Either<Errors, Uint8Array> =>
    bytes === undefined ? E.left([{ tag: 'unreadable', file: join(folder, file), because: 'there is no such file' }]) : E.right(bytes)

export const required = (folder: string, file: string): TE.TaskEither<Errors, Uint8Array> =>
  pipe(bytesOf(folder, file), TE.chainEitherK(present(folder, file)))

export const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
