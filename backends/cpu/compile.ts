import * as E from 'fp-ts/lib/Either.js'
import { computedBy, type Plan } from '../../compiler/index.js'
import type { DeviceError } from '../backend.js'
import { type EmitOptions, type Emitted, emitProgram } from './wasm/emit/program.js'
import { runName } from './wasm/emit/run.js'
import type { Units } from './wasm/emit/units.js'
import { encode } from './wasm/encode.js'
import { printModule } from './wasm/wat.js'

/** The bytes of a plan's module: the same for equal plans, and at all sizes. */
export const moduleBytes = (plan: Emitted, options?: EmitOptions): Uint8Array => encode(emitProgram(plan, options).module)

/** The module of a plan, or of some of its kernels, as text. */
export const moduleText = (plan: Emitted, options?: EmitOptions): string => printModule(emitProgram(plan, options).module)

/** What goes through the list of commands: the address of the list, of scratch memory, the first command and the one after the last. */
export type RunFunction = (list: number, scratch: number, first: number, last: number) => unknown

/** A plan ready to run. */
export interface Compiled {
  readonly module: WebAssembly.Module
  readonly run: RunFunction
  /** How each of the plan's kernels is cut. */
  readonly units: readonly Units[]
}

/** The first kernel whose module is not valid, with its text. Only asked where the whole is not. */
const refused = (device: string, plan: Plan, options: EmitOptions, because: string): DeviceError => {
  const { kernels } = plan
  const kernel = kernels.find((kernel) => !WebAssembly.validate(moduleBytes({ kernels: [kernel] }, options)))
  return {
    tag: 'kernelRefused',
    device,
    kernel: kernel?.name ?? 'of this program',
    because,
    source: moduleText({ kernels: kernel === undefined ? kernels : [kernel] }, options),
    computes: kernel === undefined ? [] : computedBy(plan, kernels.indexOf(kernel)),
  }
}

/** Compile a plan over a memory. */
export const compile = async (
  device: string,
  plan: Plan,
  memory: WebAssembly.Memory,
  options: EmitOptions,
): Promise<E.Either<DeviceError, Compiled>> => {
  const emitted = emitProgram(plan, options)
  try {
    const module = await WebAssembly.compile(encode(emitted.module))
    const { exports } = await WebAssembly.instantiate(module, { device: { memory } })
    return E.right({ module, run: exports[runName] as RunFunction, units: emitted.units })
  } catch (error) {
    return E.left(refused(device, plan, options, E.toError(error).message))
  }
}
