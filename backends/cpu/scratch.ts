import * as E from 'fp-ts/lib/Either.js'
import type { DeviceError } from '../backend.js'
import type { DeviceMemory } from './memory.js'

/** The memory that a run works in. Runs come one after the other, so all programs of a device share it. */
export interface Scratch {
  /** The address of at least so many bytes. What was there is lost when it grows. */
  readonly atLeast: (bytes: number) => E.Either<DeviceError, number>
}

export const createScratch = (memory: DeviceMemory): Scratch => {
  let address: number | undefined
  let size = 0
  return {
    atLeast: (bytes) => {
      if (address !== undefined && size >= bytes) return E.right(address)
      if (address !== undefined) memory.free(address)
      const next = memory.allocate(bytes)
      address = E.isRight(next) ? next.right : undefined
      size = bytes
      return next
    },
  }
}
