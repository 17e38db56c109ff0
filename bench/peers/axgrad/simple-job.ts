import type { DeviceTensor } from 'axgrad/backends'
import type { AnySpec, HostTensor } from 'axgrad/dsl'
import type { Inputs } from '../inputs/index.js'
import type { Job } from '../protocol/serve.js'
import { countsOf, onDemand } from './loading.js'
import { mustDo } from './must.js'
import { eachOf, hold, holdZeros, type Place, read } from './place.js'
import type { Simple } from './programs.js'

/** A program of arrays by name as a job. */
export const simpleJob = <S>(place: Place, { program, makes }: Simple<S>): ((sizes: S, inputs: Inputs) => Promise<Job>) => {
  let first: S | undefined
  const demanded = onDemand(place.device, () => program(first!))
  return async (sizes, inputs) => {
    first ??= sizes
    const specs = program(sizes).inputs as Readonly<Record<string, AnySpec>>
    const given = await eachOf(specs, ({ dtype }, name) => hold(place, dtype, inputs[name]!))
    const state = await eachOf(makes(sizes), (shape) => holdZeros(place, 'f32', shape))
    let said: Readonly<Record<string, HostTensor>> = {}
    return {
      run: async () => {
        const { loaded } = await demanded()
        said = await mustDo(loaded.run(given as never, state as never))
        await place.settled()
      },
      outputs: async () => ({
        ...(await eachOf(state, (tensor: DeviceTensor) => read(place, tensor))),
        ...Object.fromEntries(Object.entries(said).map(([name, { data }]) => [name, { shape: [], data: Float32Array.from(data) }])),
      }),
      counts: async () => {
        const { loaded } = await demanded()
        const { peak } = await mustDo(loaded.profile(given as never, state as never))
        return { ...countsOf(await demanded(), given, state), peakFlops: peak.flops }
      },
      drop: () => [...Object.values(given), ...Object.values(state)].forEach(place.device.drop),
    }
  }
}
