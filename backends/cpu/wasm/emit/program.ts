import type { Plan } from '../../../../compiler/index.js'
import { callees } from '../encode/children.js'
import type { MemoryImport, WasmModule } from '../encode/module.js'
import { withHelpers } from '../math.js'
import { emitKernel } from './kernel.js'

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

/** A program's kernels and the functions of `math` that they call, as one module. It is the same at all sizes. */
export const emitProgram = ({ kernels }: Pick<Plan, 'kernels'>, { fused = false }: EmitOptions = {}): WasmModule => {
  const functions = kernels.map((kernel) => emitKernel(kernel, functionName(kernel.name), fused))
  const called = new Set(functions.flatMap(({ body }) => callees(body)))
  return { memory, functions: [...withHelpers([...called]), ...functions] }
}
