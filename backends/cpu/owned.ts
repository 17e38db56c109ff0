import type { Plan } from '../../compiler/index.js'
import { createHeld, type Held } from '../held.js'
import type { Compiled } from './compile.js'
import { createMemory, type DeviceMemory } from './memory.js'
import type { CpuOptions } from './options.js'
import { createScratch, type Scratch } from './scratch.js'
import { createTeam, type Team } from './team.js'
import { createTensors, type Tensors } from './tensors.js'

/** One program on a device. */
export interface ProgramKey {
  readonly plan: Plan
  readonly units: Compiled['units']
}

/** What a device owns until it is released. */
export interface Owned {
  readonly device: string
  readonly turn: number
  readonly memory: DeviceMemory
  /** The tensors that stay, by their addresses. */
  readonly held: Held<number>
  readonly tensors: Tensors
  readonly scratch: Scratch
  readonly threads: number
  readonly wake: number
  readonly team: Team
  /** The module of each program that is loaded, by a key that the program alone has: it lives as long as it and the device both do. */
  readonly programs: WeakMap<ProgramKey, Compiled>
}

export const createOwned = (device: string, { limit, turn, threads, wake }: Required<Omit<CpuOptions, 'strict'>>): Owned => {
  const memory = createMemory(device, limit)
  const held = createHeld<number>(device)
  const team = createTeam(memory.wasm, threads)
  return {
    device,
    turn,
    threads,
    wake,
    team,
    memory,
    held,
    tensors: createTensors(held, memory),
    scratch: createScratch(memory),
    programs: new WeakMap(),
  }
}
