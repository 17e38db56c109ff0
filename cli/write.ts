import { randomUUID } from 'node:crypto'
import { rename, rm, writeFile } from 'node:fs/promises'
import * as TE from 'fp-ts/lib/TaskEither.js'

/** The whole file or nothing: it is written beside its place and moved there. Where it cannot be, what the system says. */
export const writeWhole = (file: string, text: string): TE.TaskEither<string, void> => {
  const beside = `${file}.${randomUUID()}`
  return TE.tryCatch(
    async () => {
      try {
        await writeFile(beside, text)
        await rename(beside, file)
      } catch (error) {
        await rm(beside, { force: true })
        throw error
      }
    },
    (error) => (error instanceof Error ? error.message : String(error)),
  )
}
