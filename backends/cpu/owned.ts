import type { Plan } from '../../compiler/index.js'
import { createHeld, type Held } from '../held.js'
import type { KernelFunction } from './execute.js'
import { createMemory, type DeviceMemory } from './memory.js'
import { createScratch, type Scratch } from './scratch.js'
import { createTensors, type Tensors } from './tensors.js'

/** One program on a device. */
export interface ProgramKey {
  readonly plan: Plan
}

/** What a device owns until it is released. */
export interface Owned {
  readonly turn: number
  readonly memory: DeviceMemory
  /** The tensors that stay, by their addresses. */
  readonly held: Held<number>
  readonly tensors: Tensors
  readonly scratch: Scratch
  /** The kernels of each program that is loaded, by a key that the program alone has: they live as long as it and the device both do. */
  readonly programs: WeakMap<ProgramKey, readonly KernelFunction[]>
}

export const createOwned = (device: string, limit: number, turn: number): Owned => {
  const memory = createMemory(device, limit)
  const held = createHeld<number>(device)
  return { turn, memory, held, tensors: createTensors(held, memory), scratch: createScratch(memory), programs: new WeakMap() }
}
