import { type CheckpointError, checkpointErrorLines } from '../../models/index.js'
import { listed, report } from '../../dsl/index.js'

/** What the system says of a file that is to be read. */
export interface CannotRead {
  readonly tag: 'cannotRead'
  readonly file: string
  readonly because: string
}

export interface CannotWrite {
  readonly tag: 'cannotWrite'
  readonly file: string
  readonly because: string
}

/** What is wrong with the folder of a run. */
export type RunError =
  | CannotWrite
  | CannotRead
  | { readonly tag: 'occupied'; readonly folder: string }
  | { readonly tag: 'notARun'; readonly folder: string; readonly because: string }
  | { readonly tag: 'noCheckpoint'; readonly folder: string }
  | { readonly tag: 'noSuchCheckpoint'; readonly folder: string; readonly called: string; readonly has: readonly string[] }
  /** A checkpoint that cannot be used, and those before it, the newest first. */
  | {
      readonly tag: 'damaged'
      readonly folder: string
      readonly checkpoint: string
      readonly because: CheckpointError
      readonly before: readonly string[]
    }
  /** What is asked for is not what the run was begun with. */
  | { readonly tag: 'differs'; readonly what: string; readonly run: string; readonly asked: string; readonly attempt: string }

const other = (folder: string, before: readonly string[]): string =>
  before[0] === undefined
    ? `begin the run again: it has no earlier checkpoint`
    : `go back to the checkpoint before: echo ${before[0]} > ${folder}/latest`

/** Its last line is what to do about the run, not about the file alone. */
const damaged = (folder: string, checkpoint: string, error: CheckpointError, before: readonly string[]): string => {
  const [what, because] = checkpointErrorLines(error)
  return report(`checkpoint ${checkpoint} of ${folder}`, `${what}: ${because}`, other(folder, before))
}

/** Three lines: what and where, because, try. */
export const renderRunFolderError = (error: RunError): string => {
  switch (error.tag) {
    case 'cannotWrite':
      return report(
        `writing ${error.file}`,
        error.because,
        `make room or give another folder; what was saved before is whole, and --resume goes on from it`,
      )
    case 'cannotRead':
      return report(`reading ${error.file}`, error.because, `see whether the file is there and yours to read`)
    case 'occupied':
      return report(`--out ${error.folder}`, `there is a run in this folder`, `go on with it by --resume ${error.folder}, or name another`)
    case 'notARun':
      return report(`the folder ${error.folder}`, error.because, `give the folder of a run: axgrad train prints it`)
    case 'noCheckpoint':
      return report(
        `the run in ${error.folder}`,
        `it ended before its first checkpoint`,
        `begin it again: axgrad train ${error.folder}/config.json`,
      )
    case 'noSuchCheckpoint':
      return report(
        `the checkpoint '${error.called}' of ${error.folder}`,
        error.has.length === 0 ? `the run has none yet` : `there is ${listed(error.has)}`,
        `name one of these, or latest; there is a best one once the policy was examined`,
      )
    case 'damaged':
      return damaged(error.folder, error.checkpoint, error.because, error.before)
    case 'differs':
      return report(`${error.what} of the run to resume`, `it was begun with ${error.run}, and ${error.asked} is asked for`, error.attempt)
  }
}
