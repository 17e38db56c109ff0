import * as E from 'fp-ts/lib/Either.js'
import type { Plan } from '../../compiler/index.js'
import type { DeviceError } from '../backend.js'
import type { KernelFunction } from './execute.js'
import { type EmitOptions, emitProgram, functionName } from './wasm/emit/program.js'
import { encode } from './wasm/encode.js'
import { printModule } from './wasm/wat.js'

/** The bytes of a plan's module: the same for equal plans, and at all sizes. */
export const moduleBytes = (plan: Pick<Plan, 'kernels'>, options?: EmitOptions): Uint8Array => encode(emitProgram(plan, options))

/** The module of a plan, or of some of its kernels, as text. */
export const moduleText = (plan: Pick<Plan, 'kernels'>, options?: EmitOptions): string => printModule(emitProgram(plan, options))

/** The first kernel whose module is not valid, with its text. Only asked where the whole is not. */
const refused = (device: string, { kernels }: Plan, options: EmitOptions, because: string): DeviceError => {
  const kernel = kernels.find((kernel) => !WebAssembly.validate(moduleBytes({ kernels: [kernel] }, options)))
  return {
    tag: 'kernelRefused',
    device,
    kernel: kernel?.name ?? 'of this program',
    because,
    source: moduleText({ kernels: kernel === undefined ? kernels : [kernel] }),
  }
}

/** Compile a plan's kernels over a memory, in the order of the plan. */
export const compile = async (
  device: string,
  plan: Plan,
  memory: WebAssembly.Memory,
  options: EmitOptions,
): Promise<E.Either<DeviceError, readonly KernelFunction[]>> => {
  const bytes = moduleBytes(plan, options)
  try {
    const module = await WebAssembly.compile(bytes)
    const { exports } = await WebAssembly.instantiate(module, { device: { memory } })
    return E.right(plan.kernels.map(({ name }) => exports[functionName(name)] as KernelFunction))
  } catch (error) {
    return E.left(refused(device, plan, options, error instanceof Error ? error.message : String(error)))
  }
}
