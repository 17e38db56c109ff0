import { type GraphError, renderGraphError } from './errors.js'
import { graphErrors, type Program } from './program.js'
import { renderTooLarge, type TooLarge, tooLargeAlways } from './too-large.js'
import { renderSizeNeverBound, type SizeNeverBound, sizesNeverBound } from './size-never-bound.js'

/** What can be wrong with a program, whatever it is run with. */
export type ProgramError = GraphError | SizeNeverBound | TooLarge

/** Everything that is wrong with a program. */
export const programErrors = (p: Program<unknown, unknown, unknown>): readonly ProgramError[] => [
  ...graphErrors(p),
  ...sizesNeverBound(p),
  ...tooLargeAlways(p),
]

/** Three lines: what and where, because, try. */
export const renderProgramError = (error: ProgramError): string =>
  error.tag === 'sizeNeverBound' ? renderSizeNeverBound(error) : error.tag === 'tooLarge' ? renderTooLarge(error) : renderGraphError(error)
