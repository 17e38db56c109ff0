import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { type DeviceError, renderDeviceError, renderRunError, type RunError } from '../backends/backend.js'
import { type ProgramError, renderProgramError, report } from '../dsl/index.js'

/** What can end a training run. */
export type TrainError =
  | { readonly tag: 'notPlanned'; readonly program: string; readonly errors: NonEmptyArray<ProgramError> }
  | { readonly tag: 'refused'; readonly program: string; readonly error: DeviceError }
  | { readonly tag: 'runFailed'; readonly program: string; readonly errors: NonEmptyArray<RunError> }
  | { readonly tag: 'toolFailed'; readonly task: string; readonly because: string }
  | { readonly tag: 'badContext'; readonly row: number; readonly because: string }
  /** Places are counted from 0. */
  | { readonly tag: 'cacheFull'; readonly row: number; readonly place: number; readonly slots: number }
  | { readonly tag: 'badSetting'; readonly setting: string; readonly value: number; readonly takes: string }
  | { readonly tag: 'pairsOfSeveral'; readonly loss: string; readonly task: string; readonly sequences: number }
  | { readonly tag: 'missingActor'; readonly loss: string; readonly actor: 'reference' | 'critic' | 'rewardModel' }
  | { readonly tag: 'notFinite'; readonly step: number; readonly quantity: string; readonly value: number }

const headed = (program: string, reports: readonly string[]): string => [`${program}:`, ...reports].join('\n')

/** Three lines for each fault: what and where, because, try. */
export const renderTrainError = (error: TrainError): string => {
  switch (error.tag) {
    case 'notPlanned':
      return headed(error.program, error.errors.map(renderProgramError))
    case 'refused':
      return headed(error.program, [renderDeviceError(error.error)])
    case 'runFailed':
      return headed(error.program, error.errors.map(renderRunError))
    case 'toolFailed':
      return report(`a tool of ${error.task}`, error.because, `let the task's act turn a tool's failure into a state`)
    case 'badContext':
      return report(
        `context ${String(error.row)}`,
        error.because,
        `give each answer a context of ids of the model's vocabulary, one at least`,
      )
    case 'cacheFull':
      return report(
        `token ${String(error.place)} of row ${String(error.row)}`,
        `the cache of keys and values has ${String(error.slots)} slots, one a token`,
        `begin the answers with room for more tokens`,
      )
    case 'badSetting':
      return report(`'${error.setting}' of an answer`, `it is ${String(error.value)}`, `set it to ${error.takes}`)
    case 'pairsOfSeveral':
      return report(
        `the loss '${error.loss}' on the task '${error.task}'`,
        `it compares single sequences, and a trajectory there has ${String(error.sequences)}`,
        `choose a task of one turn or with the full history as context, or another algorithm`,
      )
    case 'missingActor':
      return report(
        `a step of the loss '${error.loss}'`,
        `it or its settings read a ${error.actor}, and none is among the actors`,
        `give what needsOf names: reference and rewardModel beside nets, critic in them (netSpecs)`,
      )
    case 'notFinite':
      return report(
        `step ${String(error.step)}`,
        `${error.quantity} is ${String(error.value)}`,
        `lower the learning rate or the gradient norm; look for a logarithm or a division of 0 in the loss`,
      )
  }
}
