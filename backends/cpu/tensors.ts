import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { elementsOf } from '../../compiler/index.js'
import { countOf, type DType, type Value } from '../../dsl/index.js'
import type { DeviceError, DeviceTensor } from '../backend.js'
import { fitting, type Held } from '../held.js'
import type { DeviceMemory } from './memory.js'

/** What copies tensors to the device and back, each of them held by its address. */
export interface Tensors {
  readonly hold: (dtype: DType, value: Value) => E.Either<DeviceError, DeviceTensor>
  readonly read: (tensor: DeviceTensor) => E.Either<DeviceError, Value>
  readonly drop: (tensor: DeviceTensor) => void
}

export const createTensors = (held: Held<number>, memory: DeviceMemory): Tensors => ({
  hold: (dtype, value) =>
    pipe(
      fitting(held.device, value),
      E.chain(({ data }) => memory.allocate(4 * data.length)),
      E.map((address) => {
        memory.elements(dtype, address, value.data.length).set(elementsOf(dtype, value.data))
        return held.add(dtype, value.sizes, address)
      }),
    ),
  read: (tensor) =>
    pipe(
      held.find(tensor),
      E.map(({ tensor: { sizes, dtype }, place }) => ({ sizes, data: memory.elements(dtype, place, countOf(sizes)).slice() })),
    ),
  drop: (tensor) => {
    const gone = held.remove(tensor)
    if (gone !== undefined) memory.free(gone.place)
  },
})
