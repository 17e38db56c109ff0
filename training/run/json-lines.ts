import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RunError } from './error.js'
import { type Files, replaceFile } from './files.js'

const stepOf = (line: string): number | undefined => {
  const parsed = E.tryCatch(() => JSON.parse(line) as unknown, String)
  const record = E.isRight(parsed) ? parsed.right : undefined
  return typeof record === 'object' && record !== null && 'step' in record && typeof record.step === 'number' ? record.step : undefined
}

/** The lines up to a step, each of them whole: a line without its end, as a kill leaves it, is no line. */
export const upToStep = (text: string, step: number): string => {
  const lines = text.split('\n').slice(0, -1)
  const end = lines.findIndex((line) => (stepOf(line) ?? Infinity) > step)
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => `${line}\n`)
    .join('')
}

/** Cut a file of JSON lines back to a step. One that is not there yet has nothing to cut. */
export const cutBack = (files: Files, file: string, step: number): TE.TaskEither<RunError, void> =>
  pipe(
    TE.tryCatch(
      () => files.read(file),
      () => undefined,
    ),
    TE.match(
      () => '',
      (bytes) => new TextDecoder().decode(bytes),
    ),
    TE.fromTask,
    TE.flatMap((text) => {
      const kept = upToStep(text, step)
      return kept === text ? TE.right(undefined) : replaceFile(files, file, kept)
    }),
  )
