import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RunError } from './error.js'
import { type Files, replaceFile } from './files.js'
import type { Progress } from './progress.js'

type Record = Readonly<{ [key: string]: unknown }>

const recordOf = (line: string): Record => {
  const parsed = E.tryCatch(() => JSON.parse(line) as unknown, String)
  return E.isRight(parsed) && typeof parsed.right === 'object' && parsed.right !== null ? (parsed.right as Record) : {}
}

/** As much of a run as lines are kept of: the evaluations are those that it knows. */
export type Extent = Pick<Progress, 'step' | 'evaluations'>

const isWithin =
  ({ step: last, evaluations }: Extent) =>
  (line: string): boolean => {
    const { step, stage } = recordOf(line)
    if (typeof step !== 'number' || step > last) return false
    return stage !== 'evaluation' || evaluations.some((evaluation) => evaluation.step === step)
  }

/** The lines up to a step, each of them whole: a line without its end, as a kill leaves it, is no line. */
export const upTo = (text: string, extent: Extent): string => {
  const lines = text.split('\n').slice(0, -1)
  const end = lines.findIndex((line) => !isWithin(extent)(line))
  return lines
    .slice(0, end < 0 ? lines.length : end)
    .map((line) => `${line}\n`)
    .join('')
}

/** Cut a file of JSON lines back to what a checkpoint knows. One that is not there yet has nothing to cut. */
export const cutBack = (files: Files, file: string, extent: Extent): TE.TaskEither<RunError, void> =>
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
      const kept = upTo(text, extent)
      return kept === text ? TE.right(undefined) : replaceFile(files, file, kept)
    }),
  )
