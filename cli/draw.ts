import { extname } from 'node:path'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { CommandError } from './errors.js'
import { writeWhole } from './write.js'

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Graphviz knows the widths of Courier, which every font of these has; and each looks better. */
const monospace = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Graphviz, which takes a moment to load, lays a drawing out. */
const svgOf =
  (file: string) =>
  (dot: string): TE.TaskEither<CommandError, string> =>
    TE.tryCatch(
      async () => {
        const { instance } = await import('@viz-js/viz')
        const svg = (await instance()).renderString(dot, { format: 'svg' })
        return svg.replaceAll('font-family="Courier"', `font-family="${monospace}"`)
      },
      (error): CommandError => ({ tag: 'cannotLayOut', file, message: messageOf(error) }),
    )

/** A drawing as a file holds it, by the file's ending. */
const formats: { readonly [Ending: string]: (file: string) => (dot: string) => TE.TaskEither<CommandError, string> } = {
  '.dot': () => TE.right,
  '.svg': svgOf,
}

/** Write a drawing to a file that ends in .svg or .dot. */
export const draw = (file: string, dot: string): TE.TaskEither<CommandError, void> => {
  const format = formats[extname(file)]
  return format === undefined
    ? TE.left({ tag: 'noSuchFormat', file, has: Object.keys(formats) })
    : pipe(
        dot,
        format(file),
        TE.flatMap((text) =>
          pipe(
            writeWhole(file, text),
            TE.mapLeft((message): CommandError => ({ tag: 'cannotWrite', file, message })),
          ),
        ),
      )
}
