import { type FileHandle, mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CannotRead, CannotWrite } from './error.js'

/** What a run asks of a disk. Each fails as the system does; a test gives a disk that is full. */
export interface Files {
  readonly read: (file: string) => Promise<Uint8Array>
  /** A whole new file, on the disk before it is done. */
  readonly write: (file: string, parts: readonly Uint8Array[]) => Promise<void>
  /** More of a file, on the disk before it is done. */
  readonly append: (file: string, text: string) => Promise<void>
  /** In place of what was there, on the disk before it is done. */
  readonly rename: (from: string, to: string) => Promise<void>
  readonly makeFolder: (folder: string) => Promise<void>
  readonly remove: (path: string) => Promise<void>
  readonly list: (folder: string) => Promise<readonly string[]>
}

const using = async (path: string, flags: string, use: (file: FileHandle) => Promise<void>): Promise<void> => {
  const file = await open(path, flags)
  try {
    await use(file)
  } finally {
    await file.close()
  }
}

/** A folder's own entries; Windows has no way to ask for it. */
const syncFolder = async (folder: string): Promise<void> => {
  if (process.platform !== 'win32') await using(folder, 'r', (opened) => opened.sync())
}

const codeOf = (error: unknown): unknown => (error as Partial<NodeJS.ErrnoException>).code

/** With the folders around it. Node's own recursion does not end where the system has no place for a folder, as in /proc. */
const makeFolder = async (folder: string): Promise<void> => {
  try {
    await mkdir(folder)
  } catch (error) {
    const around = dirname(folder)
    if (codeOf(error) === 'EEXIST' && (await stat(folder)).isDirectory()) return
    if (codeOf(error) !== 'ENOENT' || around === folder) throw error
    await makeFolder(around)
    await mkdir(folder)
  }
}

/** The disk of the machine. */
export const disk: Files = {
  read: (file) => readFile(file),
  write: (path, parts) =>
    using(path, 'w', async (file) => {
      for (const part of parts) await file.writeFile(part)
      await file.sync()
    }),
  append: (path, text) =>
    using(path, 'a', async (file) => {
      await file.writeFile(text)
      await file.datasync()
    }),
  rename: async (from, to) => {
    await rename(from, to)
    await syncFolder(dirname(to))
  },
  makeFolder,
  remove: (path) => rm(path, { recursive: true, force: true }),
  list: (folder) => readdir(folder),
}

const bytes = (text: string): readonly Uint8Array[] => [new TextEncoder().encode(text)]

/** What the system says, without the path, which is named apart. */
export const saying = (error: unknown): string => E.toError(error).message.replace(/, \w+ '.*$/, '')

/** Something done to a file; where it cannot be, why. */
export const writing = <A>(file: string, act: () => Promise<A>): TE.TaskEither<CannotWrite, A> =>
  TE.tryCatch(act, (error): CannotWrite => ({ tag: 'cannotWrite', file, because: saying(error) }))

export const reading = (files: Files, file: string): TE.TaskEither<CannotRead, Uint8Array> =>
  TE.tryCatch(
    () => files.read(file),
    (error): CannotRead => ({ tag: 'cannotRead', file, because: saying(error) }),
  )

/** A file in place of another at once: whoever reads it finds the old one or the new one, whole. */
export const replaceFile = (files: Files, file: string, text: string): TE.TaskEither<CannotWrite, void> =>
  writing(file, async () => {
    const unfinished = `${file}.new`
    try {
      await files.write(unfinished, bytes(text))
      await files.rename(unfinished, file)
    } catch (error) {
      await files.remove(unfinished).catch(() => undefined)
      throw error
    }
  })

/** A folder that is there with all its files or not at all. */
export const placeFolder = (
  files: Files,
  folder: string,
  contents: Readonly<Record<string, string | readonly Uint8Array[]>>,
): TE.TaskEither<CannotWrite, void> =>
  writing(folder, async () => {
    const unfinished = `${folder}.new`
    await files.remove(unfinished)
    await files.makeFolder(unfinished)
    try {
      for (const [name, content] of Object.entries(contents))
        await files.write(join(unfinished, name), typeof content === 'string' ? bytes(content) : content)
      await files.remove(folder)
      await files.rename(unfinished, folder)
    } catch (error) {
      await files.remove(unfinished).catch(() => undefined)
      throw error
    }
  })
