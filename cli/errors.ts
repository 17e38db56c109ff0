import type { ReadonlyNonEmptyArray } from 'fp-ts/lib/ReadonlyNonEmptyArray.js'
import { listed, type ProgramError, renderProgramError, report } from '../dsl/index.js'
import { type LossError, renderLossError } from '../training/index.js'

/** What keeps a command from starting. */
export type CommandError =
  | { readonly tag: 'fileNotFound'; readonly file: string }
  | { readonly tag: 'doesNotCompile'; readonly file: string; readonly message: string }
  | { readonly tag: 'doesNotLoad'; readonly file: string; readonly message: string }
  | { readonly tag: 'noLoss'; readonly file: string; readonly exports: readonly string[] }
  | { readonly tag: 'noSuchLoss'; readonly file: string; readonly name: string; readonly has: readonly string[] }
  | { readonly tag: 'notScalar'; readonly name: string; readonly is: string }
  | { readonly tag: 'lossThrows'; readonly name: string; readonly message: string }
  | { readonly tag: 'badLoss'; readonly name: string; readonly errors: ReadonlyNonEmptyArray<ProgramError> }
  | { readonly tag: 'notTrainable'; readonly error: LossError }
  | { readonly tag: 'noFastCheck' }
  | { readonly tag: 'severalLosses'; readonly asked: string; readonly file: string; readonly has: readonly string[] }
  | { readonly tag: 'noDrawing'; readonly stages: readonly string[]; readonly has: readonly string[] }
  | { readonly tag: 'noSuchFormat'; readonly file: string; readonly has: readonly string[] }
  | { readonly tag: 'cannotLayOut'; readonly file: string; readonly message: string }
  | { readonly tag: 'cannotWrite'; readonly file: string; readonly message: string }
  | { readonly tag: 'badSchedules'; readonly file: string; readonly because: string }
  | { readonly tag: 'tunedElsewhere'; readonly file: string; readonly adapter: string; readonly here: string }

/** Three lines, for each fault of a loss: what was asked, because, try. */
export const renderCommandError = (error: CommandError): string => {
  switch (error.tag) {
    case 'fileNotFound':
      return report(
        error.file,
        `there is no such file`,
        `give the path of a .ts or .js file that exports a loss, or the name of one of the library, as grpo`,
      )
    case 'doesNotCompile':
      return report(error.file, `it does not compile: ${error.message}`, `correct that line; \`npx tsc --noEmit\` says more`)
    case 'doesNotLoad':
      return report(error.file, `it stops while it is loaded: ${error.message}`, `run it alone with \`npx tsx ${error.file}\``)
    case 'noLoss':
      return report(
        error.file,
        `no export is a loss; it exports ${listed(error.exports, 'nothing')}`,
        `export const loss = defineLoss({ name, inputs, loss })`,
      )
    case 'noSuchLoss':
      return report(`--only '${error.name}'`, `${error.file} exports the losses ${listed(error.has)}`, `name one of them`)
    case 'notScalar':
      return report(`the loss '${error.name}'`, `it must be f32[] and is ${error.is}`, `end it with a sum or a mean over its axes`)
    case 'lossThrows':
      return report(`the loss '${error.name}'`, `its function throws: ${error.message}`, `call it by itself to see where`)
    case 'badLoss':
      return error.errors.map(renderProgramError).join('\n')
    case 'notTrainable':
      return renderLossError(error.error)
    case 'noFastCheck':
      return report(`axgrad check`, `it generates inputs with fast-check, which is not installed`, `npm install --save-dev fast-check`)
    case 'severalLosses':
      return report(error.asked, `it takes one loss, and ${error.file} exports ${listed(error.has)}`, `choose one with --only`)
    case 'noDrawing':
      return report(
        `--out --stage ${error.stages.join(' ')}`,
        `only one of ${listed(error.has)} is drawn at a time`,
        `give --stage one of them`,
      )
    case 'noSuchFormat':
      return report(`--out ${error.file}`, `the file's ending must be one of ${listed(error.has)}`, `give the file such an ending`)
    case 'cannotLayOut':
      return report(
        `--out ${error.file}`,
        `Graphviz cannot lay it out: ${error.message}`,
        `draw it as .dot, and lay that out with another tool; or draw a smaller loss`,
      )
    case 'cannotWrite':
      return report(
        `--out ${error.file}`,
        `the file cannot be written: ${error.message}`,
        `give a path in a folder that is there and is yours to write in`,
      )
    case 'badSchedules':
      return report(`--schedules ${error.file}`, error.because, `write it anew with \`axgrad tune --out ${error.file}\``)
    case 'tunedElsewhere':
      return report(
        `--schedules ${error.file}`,
        `it was measured on ${error.adapter}, and this runs on ${error.here}`,
        `run \`axgrad tune\` here, or leave --schedules out`,
      )
  }
}
