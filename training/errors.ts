import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { type DeviceError, renderDeviceError, type RunError } from '../backends/backend.js'
import type { PlanError } from '../compiler/index.js'
import { listed, renderBindError, renderGraphError, report } from '../dsl/index.js'

/** What can end a training run. */
export type TrainError =
  | { readonly tag: 'notPlanned'; readonly program: string; readonly errors: NonEmptyArray<PlanError> }
  | { readonly tag: 'refused'; readonly program: string; readonly error: DeviceError }
  | { readonly tag: 'runFailed'; readonly program: string; readonly errors: NonEmptyArray<RunError> }
  | { readonly tag: 'notFinite'; readonly step: number; readonly quantity: string; readonly value: number }

const renderPlanError = (error: PlanError): string =>
  error.tag === 'sizeNeverBound'
    ? report(
        `the size '${error.variable}'`,
        `no input has an axis of that size; those that inputs bind are ${listed(error.bound)}`,
        `declare an input with the axis, or give the size as a number`,
      )
    : renderGraphError(error)

const deviceTags: { readonly [T in DeviceError['tag']]: true } = {
  outOfMemory: true,
  kernelRefused: true,
  released: true,
  unknownTensor: true,
  wrongType: true,
  stateShared: true,
  commandRefused: true,
  deviceLost: true,
}

const isDeviceError = (error: RunError): error is DeviceError => error.tag in deviceTags

const renderRunError = (error: RunError): string => (isDeviceError(error) ? renderDeviceError(error) : renderBindError(error))

const headed = (program: string, reports: readonly string[]): string => [`${program}:`, ...reports].join('\n')

/** Three lines for each fault: what and where, because, try. */
export const renderTrainError = (error: TrainError): string => {
  switch (error.tag) {
    case 'notPlanned':
      return headed(error.program, error.errors.map(renderPlanError))
    case 'refused':
      return headed(error.program, [renderDeviceError(error.error)])
    case 'runFailed':
      return headed(error.program, error.errors.map(renderRunError))
    case 'notFinite':
      return report(
        `step ${String(error.step)}`,
        `${error.quantity} is ${String(error.value)}`,
        `lower the learning rate or the gradient norm; look for a logarithm or a division of 0 in the loss`,
      )
  }
}
