import * as E from 'fp-ts/lib/Either.js'
import type { Kernel } from '../../compiler/index.js'
import type { DeviceError } from '../backend.js'
import type { DeviceLimits } from './device.js'
import { parameterBytes } from './emit/kernel.js'
import type { Faults } from './faults.js'
import { shaderStage } from './flags.js'

/** A kernel ready to run. */
export interface Compiled {
  readonly pipeline: GPUComputePipeline
  readonly layout: GPUBindGroupLayout
}

/** Every kernel that the device has compiled, by its text: two programs with the same kernel compile it once. */
export interface Pipelines {
  readonly compile: (kernel: Kernel, source: string, computes: readonly string[]) => Promise<E.Either<DeviceError, Compiled>>
  readonly count: () => number
}

/** The source with its lines numbered as the device's messages count them. */
const numbered = (source: string): string =>
  source
    .split('\n')
    .map((line, i) => `${String(i + 1).padStart(4)} | ${line}`)
    .join('\n')

const firstError = async (module: GPUShaderModule | undefined): Promise<string | undefined> => {
  const messages = (await module?.getCompilationInfo())?.messages ?? []
  const error = messages.find(({ type }) => type === 'error')
  return error && `line ${error.lineNum}: ${error.message}`
}

interface Layouts {
  readonly group: GPUBindGroupLayout
  readonly pipeline: GPUPipelineLayout
}

/** The parameters, then so many buffers. */
const makeLayouts = (device: GPUDevice, buffers: number): Layouts => {
  const types: readonly GPUBufferBindingType[] = ['uniform', ...Array.from({ length: buffers }, () => 'storage' as const)]
  const entries = types.map((type, binding) => ({ binding, visibility: shaderStage.compute, buffer: { type } }))
  const group = device.createBindGroupLayout({ entries })
  return { group, pipeline: device.createPipelineLayout({ bindGroupLayouts: [group] }) }
}

export const createPipelines = (device: GPUDevice, limits: DeviceLimits, faults: Faults, name: string): Pipelines => {
  const known = new Map<string, Promise<E.Either<DeviceError, Compiled>>>()
  const layouts = new Map<number, Layouts>()
  let count = 0

  const layoutsOf = (buffers: number): Layouts => {
    const made = layouts.get(buffers) ?? makeLayouts(device, buffers)
    layouts.set(buffers, made)
    return made
  }

  const compileAnew = async (kernel: Kernel, source: string, computes: readonly string[]): Promise<E.Either<DeviceError, Compiled>> => {
    const refused = (because: string): E.Either<DeviceError, never> =>
      E.left({ tag: 'kernelRefused', device: name, kernel: kernel.name, because, source: numbered(source), computes })
    const most = { buffers: limits.maxStorageBuffersPerShaderStage, bytes: limits.maxUniformBufferBindingSize }
    const [buffers, bytes] = [kernel.buffers.length, parameterBytes(kernel)]
    if (buffers > most.buffers) return refused(`it binds ${buffers} buffers, and the device allows ${most.buffers}`)
    if (bytes > most.bytes) return refused(`its parameters take ${bytes} bytes, and the device allows ${most.bytes}`)
    let module: GPUShaderModule | undefined
    // Not createComputePipelineAsync: software adapters compile more slowly in parallel than one after the other.
    const compiled = await faults.during(() => {
      const { group, pipeline: layout } = layoutsOf(kernel.buffers.length)
      module = device.createShaderModule({ label: kernel.name, code: source })
      const pipeline = device.createComputePipeline({ label: kernel.name, layout, compute: { module } })
      return E.right(Promise.resolve({ pipeline, layout: group }))
    })
    if (E.isRight(compiled)) count += 1
    else known.delete(source)
    return E.isLeft(compiled) && compiled.left.tag === 'commandRefused'
      ? refused((await firstError(module)) ?? compiled.left.because)
      : compiled
  }

  const compile: Pipelines['compile'] = (kernel, source, computes) => {
    const compiled = known.get(source) ?? compileAnew(kernel, source, computes)
    known.set(source, compiled)
    return compiled
  }

  return { compile, count: () => count }
}
