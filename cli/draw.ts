import { extname } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { disk, replaceFile } from '../training/index.js'
import type { CommandError } from './errors.js'
import { drawingPage, type Reading } from './drawing-page.js'

/** What is drawn. */
export interface Drawing {
  readonly name: string
  /** In Graphviz's language. */
  readonly dot: string
  /** What stands beneath it, where there is room. */
  readonly readings: readonly Reading[]
}

type Format = (file: string) => (drawing: Drawing) => TE.TaskEither<CommandError, string>

/** Graphviz knows the widths of Courier, which every font of these has; and each looks better. */
const monospace = "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace"

/** Graphviz, which takes a moment to load, lays a drawing out. */
const svgOf: Format =
  (file) =>
  ({ dot }) =>
    TE.tryCatch(
      async () => {
        const { instance } = await import('@viz-js/viz')
        const svg = (await instance()).renderString(dot, { format: 'svg' })
        return svg.replaceAll('font-family="Courier"', `font-family="${monospace}"`)
      },
      (error): CommandError => ({ tag: 'cannotLayOut', file, message: E.toError(error).message }),
    )

/** A drawing as a file holds it, by the file's ending. */
const formats: { readonly [Ending: string]: Format } = {
  '.dot':
    () =>
    ({ dot }) =>
      TE.right(dot),
  '.svg': svgOf,
  '.html': (file) => (drawing) =>
    pipe(
      svgOf(file)(drawing),
      TE.map((svg) => drawingPage(drawing.name, svg, drawing.readings)),
    ),
}

/** Write a drawing to a file that ends in .svg, .html or .dot. */
export const draw = (file: string, drawing: Drawing): TE.TaskEither<CommandError, void> => {
  const format = formats[extname(file)]
  return format === undefined
    ? TE.left({ tag: 'noSuchFormat', file, has: Object.keys(formats) })
    : pipe(
        format(file)(drawing),
        TE.flatMap((text) =>
          pipe(
            replaceFile(disk, file, text),
            TE.mapLeft(({ because }): CommandError => ({ tag: 'cannotWrite', file, message: because })),
          ),
        ),
      )
}
