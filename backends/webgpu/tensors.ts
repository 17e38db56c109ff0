import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { DType, Value } from '../../dsl/index.js'
import type { DeviceError, DeviceTensor } from '../backend.js'
import { copiedElements, elementsOf } from './elements.js'
import type { Gpu } from './gpu.js'
import type { HeldTensor } from './held.js'

/** Copy a value to the device, into a buffer of its own. */
export const hold = async (gpu: Gpu, dtype: DType, { sizes, data }: Value): Promise<E.Either<DeviceError, DeviceTensor>> => {
  const { device, faults, held, limits, memory, name } = gpu
  const bytes = 4 * sizes.reduce((p, q) => p * q, 1)
  if (bytes !== 4 * data.length)
    return E.left({ tag: 'commandRefused', device: name, because: `sizes [${sizes.join()}] do not fit ${data.length} numbers` })
  const largest = limits.maxStorageBufferBindingSize
  if (bytes > largest) return E.left(memory.tooMuch(bytes, largest))
  const made = await faults.during(() =>
    pipe(
      memory.create(bytes, 'data'),
      E.map((buffer) => {
        if (bytes > 0) device.queue.writeBuffer(buffer, 0, elementsOf(dtype, data))
        return Promise.resolve(buffer)
      }),
    ),
  )
  return E.map((buffer: GPUBuffer) =>
    held.add((handle) => ({ tensor: { sizes: [...sizes], dtype, device: name, handle }, buffer, bytes })),
  )(made)
}

const download = ({ device, staging }: Gpu, { tensor, buffer, bytes }: HeldTensor): E.Either<DeviceError, Promise<Value>> =>
  pipe(
    staging.take(bytes),
    E.map((target) => {
      const encoder = device.createCommandEncoder()
      encoder.copyBufferToBuffer(buffer, 0, target, 0, bytes)
      device.queue.submit([encoder.finish()])
      return staging.read(target, bytes, (all) => ({ sizes: tensor.sizes, data: copiedElements(tensor.dtype, all, 0, bytes) }))
    }),
  )

/** Copy a tensor back. */
export const read = async (gpu: Gpu, tensor: DeviceTensor): Promise<E.Either<DeviceError, Value>> => {
  const found = gpu.held.find(tensor)
  if (found === undefined) return E.left({ tag: 'unknownTensor', device: gpu.name, of: tensor.device })
  if (found.bytes === 0) return E.right({ sizes: tensor.sizes, data: copiedElements(tensor.dtype, new ArrayBuffer(0), 0, 0) })
  return gpu.faults.during(() => download(gpu, found))
}
