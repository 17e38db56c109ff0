import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { elementsOf } from '../../compiler/index.js'
import type { DType, Value } from '../../dsl/index.js'
import type { DeviceError, DeviceTensor } from '../backend.js'
import { bytesOf, fitting, type HeldTensor } from '../held.js'
import type { Gpu } from './gpu.js'
import { copiedElements } from './staging.js'

/** A buffer with the bytes of a value. */
const upload = ({ device, limits, memory }: Gpu, dtype: DType, { data }: Value): E.Either<DeviceError, GPUBuffer> => {
  const bytes = 4 * data.length
  const largest = limits.maxStorageBufferBindingSize
  if (bytes > largest) return E.left(memory.tooMuch(bytes, largest))
  const made = memory.create(bytes, 'data')
  if (E.isRight(made) && bytes > 0) device.queue.writeBuffer(made.right, 0, elementsOf(dtype, data))
  return made
}

/** Copy a value to the device, into a buffer of its own. */
export const hold = async (gpu: Gpu, dtype: DType, value: Value): Promise<E.Either<DeviceError, DeviceTensor>> => {
  const fits = fitting(gpu.name, value)
  if (E.isLeft(fits)) return fits
  const made = await gpu.faults.during(() => E.map((buffer: GPUBuffer) => Promise.resolve(buffer))(upload(gpu, dtype, value)))
  return E.map((buffer: GPUBuffer) => gpu.held.add(dtype, value.sizes, buffer))(made)
}

const download = ({ device, staging }: Gpu, { tensor, place }: HeldTensor<GPUBuffer>): E.Either<DeviceError, Promise<Value>> => {
  const bytes = bytesOf(tensor)
  return pipe(
    staging.take(bytes),
    E.map((target) => {
      const encoder = device.createCommandEncoder()
      encoder.copyBufferToBuffer(place, 0, target, 0, bytes)
      device.queue.submit([encoder.finish()])
      return staging.read(target, bytes, (all) => ({ sizes: tensor.sizes, data: copiedElements(tensor.dtype, all, 0, bytes) }))
    }),
  )
}

/** Copy a tensor back. */
export const read = async (gpu: Gpu, tensor: DeviceTensor): Promise<E.Either<DeviceError, Value>> => {
  const found = gpu.held.find(tensor)
  if (E.isLeft(found)) return found
  const { sizes, dtype } = found.right.tensor
  if (bytesOf(tensor) === 0) return E.right({ sizes, data: elementsOf(dtype, []) })
  return gpu.faults.during(() => download(gpu, found.right))
}

/** Give a tensor's memory back. */
export const drop = ({ held, memory }: Gpu, tensor: DeviceTensor): void => {
  const found = held.remove(tensor)
  if (found !== undefined) memory.destroy(found.place)
}
