import type * as T from 'fp-ts/lib/Task.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { Plan } from '../compiler/index.js'
import { type BindError, countOf, type DType, type GivenFor, type MadeBy, type Value, renderBindError, report } from '../dsl/index.js'
import type { Profile } from './profile.js'

/**
 * A tensor that a device holds between runs: parameters, moments, caches. A run that has it as state replaces its contents in place.
 *
 * Ids of the host are checked against the axis that they point into before a run. Ids that a device holds are not, since that would
 * be a copy to the host at each run: `gather` gives NaN (0 where it gathers whole numbers) for one that is out of range, and
 * `scatterAdd` drops what it points with.
 */
export interface DeviceTensor {
  readonly sizes: readonly number[]
  readonly dtype: DType
  /** Who made it, and which of its tensors it is. Nothing else may be read from these. */
  readonly device: string
  readonly handle: number
}

export const isDeviceTensor = (x: unknown): x is DeviceTensor =>
  typeof x === 'object' && x !== null && 'handle' in x && typeof x.handle === 'number'

/** What a device can refuse. */
export type DeviceError =
  /** More than the device may give, whatever else there is. */
  | { readonly tag: 'outOfMemory'; readonly device: string; readonly asked: number; readonly limit: number }
  /** More than the system had left beside what the device holds. */
  | { readonly tag: 'exhausted'; readonly device: string; readonly asked: number; readonly held: number }
  /** With its text, and what of the program it computes. */
  | {
      readonly tag: 'kernelRefused'
      readonly device: string
      readonly kernel: string
      readonly because: string
      readonly source: string
      readonly computes: readonly string[]
    }
  | { readonly tag: 'released'; readonly device: string; readonly what: string }
  | { readonly tag: 'unknownTensor'; readonly device: string; readonly of: string }
  | { readonly tag: 'misfit'; readonly device: string; readonly sizes: readonly number[]; readonly length: number }
  | { readonly tag: 'wrongType'; readonly device: string; readonly path: string; readonly declared: DType; readonly given: DType }
  | { readonly tag: 'stateShared'; readonly device: string; readonly first: string; readonly second: string }
  | { readonly tag: 'commandRefused'; readonly device: string; readonly because: string }
  | { readonly tag: 'deviceLost'; readonly device: string; readonly because: string }

export type RunError = DeviceError | BindError

/** A plan made ready on a device: compiled once, run at any sizes. */
export interface Loaded<I = unknown, S = unknown, O = unknown> {
  /** Run once. Leaves of `inputs` are values of the host or tensors of the device; those of `state` tensors of the device, replaced in place. */
  readonly run: (inputs: GivenFor<I>, state?: GivenFor<S>) => TE.TaskEither<NonEmptyArray<RunError>, MadeBy<O>>
  /**
   * Run once, the commands one by one, each timed; `state` is replaced as by `run`. The device measures its roofline the first time, in some
   * hundred milliseconds.
   */
  readonly profile: (inputs: GivenFor<I>, state?: GivenFor<S>) => TE.TaskEither<NonEmptyArray<RunError>, Profile<O>>
  /** How many kernels the device has compiled so far, and how often it has taken memory, for tests of what must not grow. */
  readonly counts: () => { readonly kernels: number; readonly allocations: number }
}

/** What a device is, to read. */
export interface DeviceFacts {
  /** What it runs on: an adapter with its driver. */
  readonly adapter: string
  /** In bytes, invocations and such, by their names in WebGPU. */
  readonly limits: Readonly<Record<string, number>>
  /** Whether it is graphics hardware: neither the processor nor an adapter that the processor plays. */
  readonly isHardware: boolean
  /** What it could do beyond the least, sorted. */
  readonly features: readonly string[]
}

/** Where programs run. It has one owner, who releases it. */
export interface Device {
  /** Unique within the process: `cpu 1`, `SwiftShader … 2`. */
  readonly name: string
  readonly facts: DeviceFacts
  readonly load: <I, S, O>(plan: Plan<I, S, O>) => TE.TaskEither<DeviceError, Loaded<I, S, O>>
  /** Copy a value to the device, to stay there. */
  readonly hold: (dtype: DType, value: Value) => TE.TaskEither<DeviceError, DeviceTensor>
  /** Copy a tensor back. */
  readonly read: (tensor: DeviceTensor) => TE.TaskEither<DeviceError, Value>
  /** The tensors that it holds: held and not dropped, in that order. Of a released device, none. */
  readonly holds: () => readonly DeviceTensor[]
  /** Give one tensor's memory back. */
  readonly drop: (tensor: DeviceTensor) => void
  /** Give everything back. The process ends by itself afterwards. */
  readonly release: T.Task<void>
}

const computedLines = (computes: readonly string[]): string =>
  computes.length === 0 ? '' : ['\n  it computes', ...computes.map((what) => `    ${what}`)].join('\n')

/** Three lines: what and where, because, try. */
export const renderDeviceError = (error: DeviceError): string => {
  switch (error.tag) {
    case 'outOfMemory':
      return report(
        `${String(error.asked)} bytes on ${error.device}`,
        `the device gives at most ${String(error.limit)} bytes`,
        `use a smaller batch, or drop tensors that are no longer needed`,
      )
    case 'exhausted':
      return report(
        `${String(error.asked)} bytes on ${error.device}`,
        `the system has no room for them beside the ${String(error.held)} bytes that the device holds`,
        `use a smaller batch, or drop tensors that are no longer needed`,
      )
    case 'kernelRefused':
      return report(
        `kernel ${error.kernel} on ${error.device}`,
        `${error.because}\n${error.source}${computedLines(error.computes)}`,
        `report this with the lines above: the compiler wrote a kernel that the device refuses`,
      )
    case 'released':
      return report(`${error.what} on ${error.device}`, `the device has been released`, `release a device after its last run`)
    case 'unknownTensor':
      return report(
        `a tensor of ${error.of} on ${error.device}`,
        `the device does not hold it, or dropped it`,
        `hold it on this device first`,
      )
    case 'misfit':
      return report(
        `a tensor of sizes [${error.sizes.join(', ')}] for ${error.device} to hold`,
        error.sizes.every((size) => Number.isSafeInteger(size) && size >= 0)
          ? `its sizes ask for ${String(countOf(error.sizes))} numbers, and it has ${String(error.length)}`
          : `a size is a whole number from 0 on`,
        `give whole sizes, and one number for each element`,
      )
    case 'wrongType':
      return report(
        `${error.path} is given a tensor that ${error.device} holds as ${error.given}`,
        `the program declares it as ${error.declared}`,
        `hold it as ${error.declared}`,
      )
    case 'stateShared':
      return report(
        `${error.second} on ${error.device}`,
        `it is given the same tensor as ${error.first}, and each of them is replaced in place`,
        `hold a tensor for each`,
      )
    case 'commandRefused':
      return report(
        `a command on ${error.device}`,
        error.because,
        `report this with the lines above: the backend gave a command that the device refuses`,
      )
    case 'deviceLost':
      return report(`a run on ${error.device}`, `the device was lost: ${error.because}`, `open a new device and load the program again`)
  }
}

const bindTags: { readonly [T in BindError['tag']]: true } = {
  unbound: true,
  notDeclared: true,
  wrongRank: true,
  badSizes: true,
  wrongNumber: true,
  tooLarge: true,
  notNumbers: true,
  wrongLength: true,
  wrongSize: true,
  axisBoundTwice: true,
  sizesUnequal: true,
  sizeTooSmallOnceBound: true,
  doesNotDivideOnceBound: true,
  idOutOfRange: true,
}

const isBindError = (error: RunError): error is BindError => error.tag in bindTags

/** Three lines: what and where, because, try. */
export const renderRunError = (error: RunError): string => (isBindError(error) ? renderBindError(error) : renderDeviceError(error))
