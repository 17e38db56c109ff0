import { type Device, openDevice } from 'axgrad/backends'
import { availableParallelism } from 'node:os'
import type { Inputs, Kind, Sizes } from '../inputs/index.js'
import type { Contender, Job } from '../protocol/serve.js'
import { decodingJob } from './decoding-job.js'
import { mustDo } from './must.js'
import { hold, type Place, read } from './place.js'
import { simple } from './programs.js'
import { simpleJob } from './simple-job.js'
import { stepJob } from './step-job.js'

type Bring = (sizes: never, inputs: Inputs) => Promise<Job>

const bringers: { readonly [K in Kind]: (place: Place) => Bring } = {
  product: (place) => simpleJob(place, simple.product),
  pointwise: (place) => simpleJob(place, simple.pointwise),
  tokens: (place) => simpleJob(place, simple.tokens),
  grpo: (place) => simpleJob(place, simple.grpo),
  chain: (place) => simpleJob(place, simple.chain),
  step: stepJob,
  decoding: decodingJob,
}

/** A device of WebGPU has done what it was given once something behind it was read; a run on the processor is done when it says so. */
const placeOf = async (device: Device, kind: 'cpu' | 'webgpu'): Promise<Place> => {
  if (kind === 'cpu') return { device, settled: () => Promise.resolve() }
  const marker = await hold({ device, settled: () => Promise.resolve() }, 'f32', { shape: [], data: Float32Array.of(0) })
  const place: Place = {
    device,
    settled: async () => {
      await read(place, marker)
    },
  }
  return place
}

/** This library as a contender. */
export const opened = async (kind: 'cpu' | 'webgpu'): Promise<Contender> => {
  const device = await mustDo(openDevice(kind))
  const place = await placeOf(device, kind)
  const bring: Partial<Record<Kind, Bring>> = {}
  return {
    facts: { device: device.facts.adapter, threads: String(availableParallelism()), features: device.facts.features.join(' ') },
    bring: (of: Kind, sizes: Sizes[Kind], inputs: Inputs) => (bring[of] ??= bringers[of](place))(sizes as never, inputs),
    release: device.release,
  }
}
