import {
  type AnySpec,
  countOf,
  f32,
  isSpec,
  type Key,
  mapTree,
  random,
  sizes,
  type Spec,
  type TensorsOf,
  type Value,
} from '../dsl/index.js'
import type { DecoderConfig } from './config.js'

type Weight<A extends string> = Spec<A, 'f32'>

/**
 * One layer's parameters, those that end in `Bias` or `HeadNorm` where the config has them. Each query head belongs to a key head, as many
 * of them to each, in order. (A type: an interface is no tree of specs to tsc.)
 */
export type LayerSpecs = {
  readonly attentionNorm: Weight<'embed'>
  readonly query: Weight<'embed' | 'head' | 'headDim'>
  readonly key: Weight<'embed' | 'keyHead' | 'headDim'>
  readonly value: Weight<'embed' | 'keyHead' | 'headDim'>
  readonly queryBias?: Weight<'head' | 'headDim'>
  readonly keyBias?: Weight<'keyHead' | 'headDim'>
  readonly valueBias?: Weight<'keyHead' | 'headDim'>
  readonly queryHeadNorm?: Weight<'headDim'>
  readonly keyHeadNorm?: Weight<'headDim'>
  readonly output: Weight<'head' | 'headDim' | 'embed'>
  readonly ffnNorm: Weight<'embed'>
  readonly gate: Weight<'embed' | 'ffn'>
  readonly up: Weight<'embed' | 'ffn'>
  readonly down: Weight<'ffn' | 'embed'>
}

/** The parameters of a decoder, each with its axes in the order of memory. Without `unembedding` the embedding is the output matrix, too. */
export type DecoderSpecs = {
  readonly embedding: Weight<'vocab' | 'embed'>
  readonly layers: readonly LayerSpecs[]
  readonly norm: Weight<'embed'>
  readonly unembedding?: Weight<'vocab' | 'embed'>
}

const biases = ({ heads: head, keyHeads: keyHead = head, headDim }: DecoderConfig) => ({
  queryBias: f32({ head, headDim }),
  keyBias: f32({ keyHead, headDim }),
  valueBias: f32({ keyHead, headDim }),
})

const headNorms = ({ headDim }: DecoderConfig) => ({ queryHeadNorm: f32({ headDim }), keyHeadNorm: f32({ headDim }) })

const layerSpecs = (config: DecoderConfig): LayerSpecs => {
  const { embed, heads: head, keyHeads: keyHead = head, headDim, ffn, hasBias = false, hasHeadNorm = false } = config
  return {
    attentionNorm: f32({ embed }),
    query: f32({ embed, head, headDim }),
    key: f32({ embed, keyHead, headDim }),
    value: f32({ embed, keyHead, headDim }),
    ...(hasBias ? biases(config) : {}),
    ...(hasHeadNorm ? headNorms(config) : {}),
    output: f32({ head, headDim, embed }),
    ffnNorm: f32({ embed }),
    gate: f32({ embed, ffn }),
    up: f32({ embed, ffn }),
    down: f32({ ffn, embed }),
  }
}

/** The parameters that a config asks for. */
export const decoderSpecs = (config: DecoderConfig): DecoderSpecs => {
  const { vocab, embed, isTied = true } = config
  return {
    embedding: f32({ vocab, embed }),
    layers: Array.from({ length: config.layers }, () => layerSpecs(config)),
    norm: f32({ embed }),
    ...(isTied ? {} : { unembedding: f32({ vocab, embed }) }),
  }
}

/** The same tree with a tensor at each leaf. */
export type DecoderParameters = TensorsOf<DecoderSpecs>
export type LayerParameters = DecoderParameters['layers'][number]

/** A tree of specs with a value for each leaf. */
export type ValuesOf<S> = S extends AnySpec ? Value : { readonly [K in keyof S]: ValuesOf<S[K]> }

/** What a parameter is to the vector that it is applied to. Of n numbers that a weight sums, each is of the variance spread / n at first. */
type Kind = { readonly tag: 'scale' | 'shift' } | { readonly tag: 'weight'; readonly over: readonly string[]; readonly spread: number }

const weight = (...over: readonly string[]): Kind => ({ tag: 'weight', over, spread: 1 / 3 })
const projection: Kind = weight('embed')
const scale: Kind = { tag: 'scale' }
const shift: Kind = { tag: 'shift' }

/** Of every parameter by its name. A weight is contracted over the axes `over`. */
export const kinds: { readonly [N in keyof LayerSpecs | Exclude<keyof DecoderSpecs, 'layers'>]-?: Kind } = {
  embedding: { tag: 'weight', over: ['embed'], spread: 12 },
  attentionNorm: scale,
  query: projection,
  key: projection,
  value: projection,
  queryBias: shift,
  keyBias: shift,
  valueBias: shift,
  queryHeadNorm: scale,
  keyHeadNorm: scale,
  output: weight('head', 'headDim'),
  ffnNorm: scale,
  gate: projection,
  up: projection,
  down: weight('ffn'),
  norm: scale,
  unembedding: projection,
}

export type ParameterName = keyof typeof kinds

/** The name of a parameter from its path in the tree. */
export const parameterName = (path: string): ParameterName => path.slice(path.lastIndexOf('.') + 1) as ParameterName

const sizesOf = ({ axes }: AnySpec): readonly number[] => axes.map(({ size }) => sizes.known(size) ?? 0)

/** How many numbers of a weight's input make one of its output. */
const fanIn = (over: readonly string[], spec: AnySpec): number =>
  countOf(sizesOf({ ...spec, axes: spec.axes.filter(({ name }) => over.includes(name)) }))

const initially = (kind: Kind, spec: AnySpec, key: Key): ((i: number) => number) => {
  if (kind.tag !== 'weight') return () => (kind.tag === 'scale' ? 1 : 0)
  const deviation = Math.sqrt(kind.spread / fanIn(kind.over, spec))
  return (i) => deviation * random.normal(key, i)
}

/**
 * Values to begin with, in float32, the same for one key: scales are 1, biases 0; all else is normal, each with its own stream of the key.
 * A weight that sums n numbers has the variance 1/(3n), as linear layers of PyTorch; the embedding 12/embed. With less, a token is lost in
 * what the layers add to it, and copying is learnt half as fast.
 */
export const initialParameters = (config: DecoderConfig, key: Key): ValuesOf<DecoderSpecs> => {
  let stream = 0
  return mapTree(isSpec)((spec, path): Value => {
    const at = initially(kinds[parameterName(path)], spec, random.fold(key, stream++))
    const shape = sizesOf(spec)
    return { sizes: shape, data: Float32Array.from({ length: countOf(shape) }, (_, i) => at(i)) }
  })(decoderSpecs(config)) as ValuesOf<DecoderSpecs>
}
