import * as E from 'fp-ts/lib/Either.js'
import { countOf, type DType, type Given, type Value } from '../dsl/index.js'
import { type DeviceError, type DeviceTensor, isDeviceTensor } from './backend.js'

/** A tensor of a device and where it lies: an address, a buffer. */
export interface HeldTensor<P> {
  readonly tensor: DeviceTensor
  readonly place: P
}

/** The tensors that stay on a device between runs, by their handles. A handle is never used again. */
export interface Held<P> {
  readonly device: string
  readonly add: (dtype: DType, sizes: readonly number[], place: P) => DeviceTensor
  /** What the device holds for a value; else whose it is. It is no longer known once it was dropped. */
  readonly find: (given: Given) => E.Either<DeviceError, HeldTensor<P>>
  readonly all: () => readonly DeviceTensor[]
  readonly remove: (tensor: DeviceTensor) => HeldTensor<P> | undefined
}

export const createHeld = <P>(device: string): Held<P> => {
  const tensors = new Map<number, HeldTensor<P>>()
  let count = 0

  const find = (given: Given): E.Either<DeviceError, HeldTensor<P>> => {
    const of = isDeviceTensor(given) ? given.device : 'the host'
    const held = isDeviceTensor(given) && of === device ? tensors.get(given.handle) : undefined
    const same = held !== undefined && typeof given === 'object' && held.tensor.sizes.join() === given.sizes.join()
    return same ? E.right(held) : E.left({ tag: 'unknownTensor', device, of })
  }

  return {
    device,
    find,
    add: (dtype, sizes, place) => {
      count += 1
      const tensor: DeviceTensor = { sizes: [...sizes], dtype, device, handle: count }
      tensors.set(count, { tensor, place })
      return tensor
    },
    all: () => [...tensors.values()].map(({ tensor }) => tensor),
    remove: (tensor) => {
      const held = E.toUnion(E.mapLeft(() => undefined)(find(tensor)))
      if (held !== undefined) tensors.delete(held.tensor.handle)
      return held
    },
  }
}

export const bytesOf = ({ sizes }: DeviceTensor): number => 4 * countOf(sizes)

/** A value, if it has one number for each element. */
export const fitting = (device: string, value: Value): E.Either<DeviceError, Value> => {
  const { sizes, data } = value
  const whole = sizes.every((size) => Number.isSafeInteger(size) && size >= 0)
  return whole && data.length === countOf(sizes) ? E.right(value) : E.left({ tag: 'misfit', device, sizes, length: data.length })
}
