import { availableParallelism } from 'node:os'

const counted = { kernels: 0, dispatches: 0, submits: 0 }

/** Count the calls of a method of a class. */
const counting = (constructor, method, of) => {
  const original = constructor.prototype[method]
  constructor.prototype[method] = function (...given) {
    counted[of] += 1
    return original.apply(this, given)
  }
}

/** A page's `navigator`, with its GPU through Dawn where it is asked for. */
export const installNavigator = async ({ withGpu }) => {
  const gpu = withGpu ? await dawn() : undefined
  Object.defineProperty(globalThis, 'navigator', {
    value: { gpu, hardwareConcurrency: availableParallelism(), userAgent: 'Node', language: 'en' },
    configurable: true,
  })
}

const dawn = async () => {
  const { create, globals } = await import('webgpu')
  Object.assign(globalThis, globals)
  const gpu = create([])
  globalThis.dawn = gpu // what is collected ends the process
  counting(GPUDevice, 'createComputePipeline', 'kernels')
  counting(GPUDevice, 'createComputePipelineAsync', 'kernels')
  counting(GPUComputePassEncoder, 'dispatchWorkgroups', 'dispatches')
  counting(GPUComputePassEncoder, 'dispatchWorkgroupsIndirect', 'dispatches')
  counting(GPUQueue, 'submit', 'submits')
  return gpu
}

/** What was counted of the GPU since the process began. */
export const gpuCounts = () => ({ ...counted })

/** What the adapter that a page gets says of itself. */
export const adapterName = async () => {
  const { info } = (await navigator.gpu.requestAdapter()) ?? {}
  return info === undefined ? 'none' : `${info.vendor} ${info.device} ${info.description}`.trim()
}
