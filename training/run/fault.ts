import { report } from '../../dsl/index.js'
import { renderTrainError, type TrainError } from '../errors.js'
import { type RunError, renderRunFolderError } from './error.js'

/** How a run ended before its time. */
export type RunFault =
  | { readonly tag: 'folder'; readonly error: RunError }
  /** A step failed. What it was given is in the file, if there is one. */
  | { readonly tag: 'training'; readonly error: TrainError; readonly step: number; readonly batch?: string }

/** Three lines: what and where, because, try. */
export const renderRunFault = (fault: RunFault): string => {
  if (fault.tag === 'folder') return renderRunFolderError(fault.error)
  if (fault.error.tag !== 'notFinite' || fault.batch === undefined) return renderTrainError(fault.error)
  const { step, quantity, value } = fault.error
  return report(
    `step ${String(fault.step)}, update ${String(step)}`,
    `${quantity} is ${String(value)}, with the batch in ${fault.batch}`,
    `lower the learning rate or the gradient norm; look for a logarithm or a division of 0 in the loss`,
  )
}
