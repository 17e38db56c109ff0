import { createHeld, type Held } from './held.js'
import type { KernelFunction } from './execute.js'
import { createMemory, type DeviceMemory } from './memory.js'
import { createScratch, type Scratch } from './scratch.js'

/** What a device owns until it is released. */
export interface Owned {
  readonly device: string
  readonly memory: DeviceMemory
  readonly held: Held
  readonly scratch: Scratch
  /** The kernels of each program that is loaded. A program keeps its number alone, so that nothing outlives the device. */
  readonly programs: Map<number, readonly KernelFunction[]>
}

export const createOwned = (device: string, limit: number): Owned => {
  const memory = createMemory(device, limit)
  return { device, memory, held: createHeld(device, memory), scratch: createScratch(memory), programs: new Map() }
}
