import { pipe } from 'fp-ts/lib/function.js'
import {
  add,
  and,
  attention,
  broadcast,
  broadcastLike,
  equal,
  f32,
  gather,
  iota,
  lessEqual,
  rename,
  scatterSet,
  select,
  type Size,
  sizeAlong,
  sizeOf,
  slice,
  type Spec,
  type Tensor,
  type TensorsOf,
} from '../dsl/index.js'
import type { Attend, Keys } from './attention.js'
import type { DecoderConfig } from './config.js'
import { stream, unembedded } from './decoder.js'
import type { DecoderParameters } from './parameters.js'
import type { Ids, Positions, Stream } from './tensors.js'

type CacheSpec = Spec<'batch' | 'keyHead' | 'slot' | 'headDim', 'f32'>

/** The keys and values that each layer has made so far, the place of a token being its slot. */
export type CacheSpecs = readonly { readonly key: CacheSpec; readonly value: CacheSpec }[]

/** How many rows a cache has, and how long their sequences may be. */
export interface CacheSizes {
  readonly batch: number | Size
  readonly slot: number | Size
}

/**
 * A cache for so many rows as the axis `batch` has and sequences as long as the axis `slot`, both open unless given: state of a program that
 * decodes. It begins as zeros; what lies in a slot that no token was put in, or one of padding, is never looked at.
 */
export const cacheSpecs = (
  { layers, heads, keyHeads: keyHead = heads, headDim }: DecoderConfig,
  { batch, slot }: CacheSizes = { batch: sizeOf('batch'), slot: sizeOf('slot') },
): CacheSpecs => {
  const spec = f32({ batch, keyHead, slot, headDim })
  return Array.from({ length: layers }, () => ({ key: spec, value: spec }))
}

export type Cache = TensorsOf<CacheSpecs>

/** Tokens to be read behind what a cache holds. */
export interface Extension {
  /** Rows of different lengths are padded behind. */
  readonly ids: Ids
  /** How many tokens each row has read before. */
  readonly starts: Tensor<'batch', 'i32'>
  /** 0, 1, 2, …: the slots that are looked at, which reach as far as the longest row with its new tokens. The work grows with their number. */
  readonly slots: Tensor<'seen', 'i32'>
}

export interface Extended {
  readonly stream: Stream
  readonly cache: Cache
}

type Slots = Cache[number]['key']

/** The slots that are looked at, of a layer's keys or values. */
const seen =
  (slots: Extension['slots']) =>
  (x: Slots): Tensor<'batch' | 'keyHead' | 'seen' | 'headDim'> =>
    pipe(x, slice('slot', { to: sizeAlong('seen')(slots) }), rename({ slot: 'seen' }))

/**
 * What the decoder makes of new tokens, each of which sees itself and all before it, and the cache with them in it. A token whose place is
 * beyond the cache's slots is not kept, and seen by none: of padding that is right, of others `nextCached` says it. Gradient: into every
 * leaf of `params` and of the cache; ids and places have none.
 */
export const extended =
  (config: DecoderConfig) =>
  (params: DecoderParameters, cache: Cache, { ids, starts, slots }: Extension): Extended => {
    const places: Exclude<Positions, string> = add(pipe(starts, broadcastLike(ids)), iota('time', sizeAlong('time')(ids)))
    const across = { batch: sizeAlong('batch')(ids), time: sizeAlong('time')(ids) }
    const isSeen = lessEqual(pipe(slots, broadcast(across)), places)
    const next: Cache[number][] = []
    const withCache =
      (layer: number): Attend =>
      (query, key, value) => {
        const put = (into: Slots, made: Keys): Slots => scatterSet('slot', places)(into, made)
        const { key: keys, value: values } = cache[layer]!
        const made = { key: put(keys, key), value: put(values, value) }
        next.push(made)
        return attention('seen', 'headDim')(query, pipe(made.key, seen(slots)), pipe(made.value, seen(slots)), isSeen)
      }
    return { stream: stream(config, withCache, places)(params, ids), cache: next }
  }

export interface Said {
  readonly logits: Tensor<'batch' | 'vocab'>
  readonly cache: Cache
}

/** The slot of a place among those that are looked at: the place itself, and another number where there is no such slot. */
const slotAt =
  (place: Tensor<'batch', 'i32'>) =>
  (slots: Extension['slots']): Tensor<'batch', 'i32'> =>
    pipe(slots, gather('seen')(place))

/** Whether each row's token at the place `lasts` of its new ones has a slot. */
const hasSlot = ({ starts, slots }: Extension, lasts: Tensor<'batch', 'i32'>): Tensor<'batch', 'bool'> => {
  const place = add(starts, lasts)
  return and(equal(slotAt(starts)(slots), starts), equal(slotAt(place)(slots), place))
}

/**
 * The logits of the token after that at the place `lasts` of each row's new ones, and the cache with all of them in it. Neither a place outside
 * the new ones nor a row that has read as many tokens as there are slots to look at goes unseen: they are refused where the host gives them,
 * else the logits are NaN, as they are where the last token has no slot. Gradient: as of `extended`.
 */
export const nextCached =
  (config: DecoderConfig) =>
  (params: DecoderParameters, cache: Cache, extension: Extension, lasts: Tensor<'batch', 'i32'>): Said => {
    const { stream: x, cache: next } = extended(config)(params, cache, extension)
    const last = select(hasSlot(extension, lasts), pipe(x, gather('time')(lasts)), NaN)
    return { logits: pipe(last, unembedded(params)), cache: next }
  }
