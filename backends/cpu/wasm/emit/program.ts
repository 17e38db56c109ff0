import type { Plan } from '../../../../compiler/index.js'
import { callees } from '../encode/children.js'
import type { MemoryImport, WasmModule } from '../encode/module.js'
import { withHelpers } from '../math.js'
import { emitKernel } from './kernel.js'
import type { Uses } from './merged.js'
import { emitRun } from './run.js'
import type { Units } from './units.js'

/** 4 GiB: all that a 32-bit address can reach. */
export const mostPages = 65536

export const pageBytes = 65536

/** The device's one memory. What a module says of its least size is true of any device. */
const memory: MemoryImport = { module: 'device', name: 'memory', min: 1, max: mostPages, shared: true }

/** The name of a kernel's function. No function of `math` has a dot in its name. */
export const functionName = (kernel: string): string => `kernel.${kernel}`

export interface EmitOptions {
  /** Whether a product may be added with one rounding: faster, and the bits depend on the machine. */
  readonly fused?: boolean
}

export interface EmittedProgram {
  readonly module: WasmModule
  /** How each kernel is cut. */
  readonly units: readonly Units[]
}

/** What of a plan a module has: its kernels, and, to be run, its commands. */
export type Emitted = Pick<Plan, 'kernels'> & Partial<Pick<Plan, 'commands'>>

/** A program's kernels, the functions of `math` that they call, and what runs its commands, as one module. It is the same at all sizes. */
export const emitProgram = ({ kernels, commands = [] }: Emitted, { fused = false }: EmitOptions = {}): EmittedProgram => {
  const usesOf = (kernel: number): Uses =>
    commands.flatMap((command) => (command.tag === 'dispatch' && command.kernel === kernel ? [command.parameters] : []))
  const emitted = kernels.map((kernel, i) => emitKernel(kernel, functionName(kernel.name), fused, usesOf(i)))
  const functions = emitted.map(({ fn }) => fn)
  const called = new Set(functions.flatMap(({ body }) => callees(body)))
  return {
    module: { memory, functions: [...withHelpers([...called]), ...functions, ...emitRun({ kernels, commands }, functionName)] },
    units: emitted.map(({ units }) => units),
  }
}
