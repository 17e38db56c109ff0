import type { Device, DeviceTensor } from 'axgrad/backends'
import type { DType } from 'axgrad/dsl'
import type { HostArray } from '../inputs/tensor.js'
import type { Stored } from '../protocol/arrays.js'
import { mustDo } from './must.js'

/** A device, as its contender uses it. */
export interface Place {
  readonly device: Device
  /** Wait for all that it was given to do, if a run does not. */
  readonly settled: () => Promise<void>
}

export const hold = async ({ device }: Place, dtype: DType, { shape, data }: HostArray): Promise<DeviceTensor> =>
  mustDo(device.hold(dtype, { sizes: shape, data }))

export const holdZeros = async (place: Place, dtype: DType, shape: readonly number[]): Promise<DeviceTensor> =>
  hold(place, dtype, { shape, data: new Float32Array(shape.reduce((count, size) => count * size, 1)) })

export const read = async ({ device }: Place, tensor: DeviceTensor): Promise<Stored> => {
  const { sizes, data } = await mustDo(device.read(tensor))
  return { shape: sizes, data: data instanceof Int32Array ? data : Float32Array.from(data) }
}

/** The values of a record, each made in its turn. */
export const eachOf = async <X, Y>(
  record: Readonly<Record<string, X>>,
  f: (x: X, name: string) => Promise<Y>,
): Promise<Record<string, Y>> => {
  const made: Record<string, Y> = {}
  for (const [name, x] of Object.entries(record)) made[name] = await f(x, name)
  return made
}
