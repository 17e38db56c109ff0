import { pipe } from 'fp-ts/lib/function.js'
import { broadcast, f32, gather, i32, mul, program, rename, sizeOf, type Spec, type Tensor } from '../dsl/index.js'
import {
  type Cache,
  type CacheSizes,
  type CacheSpecs,
  cacheSpecs,
  type DecoderConfig,
  decoderSpecs,
  extended,
  nextCached,
} from '../models/index.js'
import { draw, type Drawing } from './sampling.js'

/**
 * What a device holds of sequences while they are written: a cache of all that was read, and the token behind it, which is not read yet. A
 * token is drawn from it: the last one is read, and the new one takes its place.
 */
export type SpeechSpecs = { readonly cache: CacheSpecs; readonly last: Spec<'batch', 'i32'> }

const openSizes: CacheSizes = { batch: sizeOf('batch'), slot: sizeOf('slot') }

export const speechSpecs = (config: DecoderConfig, sizes: CacheSizes = openSizes): SpeechSpecs => ({
  cache: cacheSpecs(config, sizes),
  last: i32({ batch: sizes.batch }),
})

/** Reads the beginnings of sequences, padded behind, into a cache. */
export const readingProgram = (config: DecoderConfig) =>
  program({
    inputs: {
      params: decoderSpecs(config),
      ids: i32('batch', 'time'),
      starts: i32('batch'),
      slots: i32('seen'),
    },
    state: speechSpecs(config),
    body: ({ params, ...extension }, { cache, last }) => ({
      outputs: {},
      state: { cache: extended(config)(params, cache, extension).cache, last },
    }),
  })

/** Reads the last token of each row, which is behind so many, and draws the next. */
export const drawingProgram = (config: DecoderConfig, drawing: Drawing) =>
  program({
    inputs: {
      params: decoderSpecs(config),
      starts: i32('batch'),
      slots: i32('seen'),
      chance: { uniform: f32('batch'), temperature: f32(), topK: i32(), topP: f32() },
    },
    state: speechSpecs(config),
    body: ({ params, starts, slots, chance }, { cache, last }) => {
      const ids = pipe(last, broadcast({ time: 1 }))
      const said = nextCached(config)(params, cache, { ids, starts, slots }, pipe(starts, zeros))
      const drawn = pipe(said.logits, draw(drawing)(chance))
      return { outputs: drawn, state: { cache: said.cache, last: drawn.ids } }
    },
  })

const zeros = (x: Tensor<'batch', 'i32'>): Tensor<'batch', 'i32'> => mul(x, 0)

type Slots = Cache[number]['key']

/** Some rows of one speech as another, in the order in which they are named; a row may be named more than once. */
export const takingProgram = (config: DecoderConfig) =>
  program({
    inputs: {
      rows: i32({ row: sizeOf('batch') }),
      from: speechSpecs(config, { batch: sizeOf('from'), slot: sizeOf('slot') }),
    },
    state: speechSpecs(config),
    body: ({ rows, from }) => {
      const taken = (x: Slots): Slots => pipe(x, gather('batch')(rows), rename({ row: 'batch' }))
      return {
        outputs: {},
        state: {
          cache: from.cache.map(({ key, value }) => ({ key: taken(key), value: taken(value) })),
          last: pipe(from.last, gather('batch')(rows), rename({ row: 'batch' })),
        },
      }
    },
  })
