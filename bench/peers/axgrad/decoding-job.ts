import type { DeviceTensor } from 'axgrad/backends'
import { argMax, bool, broadcast, i32, mul, program, type Program, scatterSet, select, sizeOf } from 'axgrad/dsl'
import { cacheSpecs, type DecoderConfig, decoderSpecs, nextCached } from 'axgrad/models'
import { pipe } from 'fp-ts/lib/function.js'
import type { DecoderSizes } from '../inputs/decoder.js'
import type { Inputs } from '../inputs/index.js'
import type { Job } from '../protocol/serve.js'
import { countsOf, onDemand } from './loading.js'
import { mustDo } from './must.js'
import { configOf, heldShapes, parameterTree } from './parameters.js'
import { eachOf, hold, holdZeros, type Place, read } from './place.js'

/** One token of each row: the last one is read, the likeliest behind it is written. */
export const tokenProgram = (config: DecoderConfig): Program<unknown, unknown, unknown> =>
  program({
    inputs: {
      ...{ params: decoderSpecs(config), prompt: i32('batch'), isFirst: bool(), starts: i32('batch'), slots: i32('seen') },
    },
    state: { cache: cacheSpecs(config), last: i32('batch'), written: i32({ batch: sizeOf('batch'), place: sizeOf('place') }) },
    body: ({ params, prompt, isFirst, starts, slots }, { cache, last, written }) => {
      const ids = pipe(select(isFirst, prompt, last), broadcast({ time: 1 }))
      const said = nextCached(config)(params, cache, { ids, starts, slots }, mul(starts, 0))
      const next = pipe(said.logits, argMax('vocab'))
      return { outputs: {}, state: { cache: said.cache, last: next, written: scatterSet('place', starts)(written, next) } }
    },
  })

const int32 = (length: number, at: (i: number) => number) => ({ sizes: [length], data: Int32Array.from({ length }, (_, i) => at(i)) })

/** A host loop over one program. The tokens stay on the device, and what is looked at grows with the sequences: nothing is compiled for it. */
export const decodingJob = (place: Place): ((sizes: DecoderSizes, inputs: Inputs) => Promise<Job>) => {
  let config: DecoderConfig | undefined
  const demanded = onDemand(place.device, () => tokenProgram(config!))
  return async (sizes, inputs) => {
    const { batch, time, layers, heads, width } = sizes
    config ??= configOf(sizes)
    const params = await eachOf(heldShapes(sizes), (shape, name) => hold(place, 'f32', { ...inputs[name]!, shape }))
    const zeros = () => holdZeros(place, 'f32', [batch, heads, time - 1, width / heads])
    const cache: { readonly key: DeviceTensor; readonly value: DeviceTensor }[] = []
    for (let layer = 0; layer < layers; layer++) cache.push({ key: await zeros(), value: await zeros() })
    const [last, written] = [await holdZeros(place, 'i32', [batch]), await holdZeros(place, 'i32', [batch, time - 1])]
    const state = { cache, last, written }
    const prompt = int32(batch, (row) => inputs['x']!.data[row * time]!)
    const given = (place: number) => ({
      ...{ params: parameterTree(layers, (name) => params[name]!), prompt, isFirst: place === 0 ? 1 : 0 },
      ...{ starts: int32(batch, () => place), slots: int32(place + 1, (slot) => slot) },
    })
    return {
      run: async () => {
        const { loaded } = await demanded()
        for (let place = 0; place < time - 1; place++) await mustDo(loaded.run(given(place) as never, state as never))
        await place.settled()
      },
      outputs: async () => ({ ids: await read(place, written) }),
      counts: async () => {
        const onDevice = await demanded()
        const tokens = Array.from({ length: time - 1 }, (_, place) => countsOf(onDevice, given(place), state))
        const total = (of: 'dispatches' | 'bytes'): number => tokens.reduce((sum, counts) => sum + (counts[of] ?? 0), 0)
        return { ...tokens.at(-1), dispatches: total('dispatches'), bytes: total('bytes') }
      },
      drop: () => [...Object.values(params), ...cache.flatMap(({ key, value }) => [key, value]), last, written].forEach(place.device.drop),
    }
  }
}
