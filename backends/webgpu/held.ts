import type { DeviceTensor } from '../backend.js'
import type { Given } from '../../dsl/index.js'

/** A tensor of the device and the buffer in which it lies. */
export interface HeldTensor {
  readonly tensor: DeviceTensor
  readonly buffer: GPUBuffer
  readonly bytes: number
}

/** The tensors that stay on the device between runs, by their handles. A handle is never used again. */
export interface Held {
  readonly add: (make: (handle: number) => HeldTensor) => DeviceTensor
  /** What the device holds for a value; undefined for a tensor of another device, or one that was dropped. */
  readonly find: (given: Given) => HeldTensor | undefined
  readonly remove: (tensor: DeviceTensor) => HeldTensor | undefined
}

export const isDeviceTensor = (given: Given): given is DeviceTensor => typeof given === 'object' && 'handle' in given

export const createHeld = (device: string): Held => {
  const tensors = new Map<number, HeldTensor>()
  let count = 0
  const find = (given: Given): HeldTensor | undefined => {
    if (!isDeviceTensor(given) || given.device !== device) return undefined
    const held = tensors.get(given.handle)
    return held?.tensor.sizes.join() === given.sizes.join() ? held : undefined
  }
  return {
    add: (make) => {
      count += 1
      const held = make(count)
      tensors.set(count, held)
      return held.tensor
    },
    find,
    remove: (tensor) => {
      const held = find(tensor)
      tensors.delete(held?.tensor.handle ?? -1)
      return held
    },
  }
}
