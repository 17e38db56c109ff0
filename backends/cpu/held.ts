import * as E from 'fp-ts/lib/Either.js'
import type { DType, Value } from '../../dsl/index.js'
import type { DeviceError, DeviceTensor } from '../backend.js'
import { type DeviceMemory, write } from './memory.js'

/** The tensors that stay on the device between runs, by handle. */
export interface Held {
  readonly hold: (dtype: DType, value: Value) => E.Either<DeviceError, DeviceTensor>
  readonly read: (tensor: DeviceTensor) => E.Either<DeviceError, Value>
  readonly drop: (tensor: DeviceTensor) => void
  readonly addressOf: (tensor: DeviceTensor) => E.Either<DeviceError, number>
}

const elementsOf = (sizes: readonly number[]): number => sizes.reduce((p, q) => p * q, 1)

export const createHeld = (device: string, memory: DeviceMemory): Held => {
  const addresses = new Map<number, number>()
  let handles = 0

  const addressOf = (tensor: DeviceTensor): E.Either<DeviceError, number> => {
    const address = tensor.device === device ? addresses.get(tensor.handle) : undefined
    return address === undefined ? E.left({ tag: 'unknownTensor', device, of: tensor.device }) : E.right(address)
  }

  return {
    addressOf,
    hold: (dtype, { sizes, data }) =>
      E.map((address: number): DeviceTensor => {
        write(dtype, memory.view(dtype, address, elementsOf(sizes)), data)
        const handle = handles++
        addresses.set(handle, address)
        return { sizes, dtype, device, handle }
      })(memory.allocate(4 * elementsOf(sizes))),
    read: (tensor) =>
      E.map((address: number): Value => ({
        sizes: tensor.sizes,
        data: memory.view(tensor.dtype, address, elementsOf(tensor.sizes)).slice(),
      }))(addressOf(tensor)),
    drop: (tensor) => {
      const address = addressOf(tensor)
      if (E.isLeft(address)) return
      addresses.delete(tensor.handle)
      memory.free(address.right)
    },
  }
}
