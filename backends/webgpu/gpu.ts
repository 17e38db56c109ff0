import type * as E from 'fp-ts/lib/Either.js'
import type { DeviceError } from '../backend.js'
import type { Held } from '../held.js'
import type { Peak } from '../profile.js'
import type { Arena } from './arena.js'
import type { DeviceLimits } from './device.js'
import type { Faults } from './faults.js'
import type { Memory } from './memory.js'
import type { Pipelines } from './pipelines.js'
import type { Precision } from './scheduled.js'
import type { Schedule } from './schedules.js'
import type { Staging } from './staging.js'

/** All that a loaded program shares with the others on its device. */
export interface Gpu {
  readonly name: string
  readonly device: GPUDevice
  readonly limits: DeviceLimits
  readonly schedule: Schedule
  readonly precision: Precision
  readonly faults: Faults
  readonly memory: Memory
  readonly arena: Arena
  readonly staging: Staging
  /** The tensors that stay, by their buffers. */
  readonly held: Held<GPUBuffer>
  readonly pipelines: Pipelines
  /** Measured the first time. */
  readonly peak: () => Promise<E.Either<DeviceError, Peak>>
  /** Bound in place of an empty buffer: a range of its own for each binding, since no two that are written may overlap. */
  readonly nothing: GPUBuffer
}
