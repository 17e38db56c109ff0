import { type AnySpec, countOf, f32, isSpec, type Key, mapTree, random, sizes, type TensorsOf, type Value } from '../dsl/index.js'

/** A decoder of the Llama family: every size of it, each a whole number from 1. */
export interface DecoderConfig {
  /** How many ids there are. */
  readonly vocab: number
  /** The width of the stream. */
  readonly embed: number
  readonly layers: number
  readonly heads: number
  /** Even: rotary positions turn pairs. */
  readonly headDim: number
  /** The width of the feed-forward part. */
  readonly ffn: number
  /** The longest rotary wavelength is 2π times about this many tokens; 10,000 unless given. */
  readonly rotaryBase?: number
  /** Added to the mean square in RMSNorm; 1e-5 unless given. */
  readonly normEpsilon?: number
}

const layerSpecs = ({ embed, heads: head, headDim, ffn }: DecoderConfig) => ({
  attentionNorm: f32({ embed }),
  query: f32({ embed, head, headDim }),
  key: f32({ embed, head, headDim }),
  value: f32({ embed, head, headDim }),
  output: f32({ head, headDim, embed }),
  ffnNorm: f32({ embed }),
  gate: f32({ embed, ffn }),
  up: f32({ embed, ffn }),
  down: f32({ ffn, embed }),
})

/** The parameters of a decoder. The embedding is the output matrix, too. */
export const decoderSpecs = (config: DecoderConfig) => ({
  embedding: f32({ vocab: config.vocab, embed: config.embed }),
  layers: Array.from({ length: config.layers }, () => layerSpecs(config)),
  norm: f32({ embed: config.embed }),
})

/** The tree of `decoderSpecs`, the layers an array. */
export type DecoderSpecs = ReturnType<typeof decoderSpecs>
/** The same tree with a tensor at each leaf. */
export type DecoderParameters = TensorsOf<DecoderSpecs>
/**
 * One layer's part of it. `query`, `key` and `value` have the axes `embed, head, headDim`, `output` the reverse way; `gate` and `up`
 * `embed, ffn`, `down` the reverse way; norms have `embed` alone.
 */
export type LayerParameters = DecoderParameters['layers'][number]

/** A tree of specs with a value for each leaf. */
export type ValuesOf<S> = S extends AnySpec ? Value : { readonly [K in keyof S]: ValuesOf<S[K]> }

/** The axes that a weight is contracted over, by its name; `embed` for those not listed. */
const contracted: Readonly<Record<string, readonly string[]>> = { output: ['head', 'headDim'], down: ['ffn'] }

const fanIn = (name: string, { axes }: AnySpec): number =>
  axes.reduce((n, { name: axis, size }) => n * ((contracted[name] ?? ['embed']).includes(axis) ? (sizes.known(size) ?? 1) : 1), 1)

const lastOf = (path: string): string => path.slice(path.lastIndexOf('.') + 1)

/**
 * Values to begin with, in float32, the same for one key: scales are 1; weights are normal with variance 1 / (numbers summed in one
 * output), and each has its own stream of the key.
 */
export const initialParameters = (config: DecoderConfig, key: Key): ValuesOf<DecoderSpecs> => {
  let stream = 0
  return mapTree(isSpec)((spec, path): Value => {
    const shape = spec.axes.map(({ size }) => sizes.known(size) ?? 0)
    const length = countOf(shape)
    const own = random.fold(key, stream++)
    const deviation = fanIn(lastOf(path), spec) ** -0.5
    const isScale = spec.axes.length === 1
    return { sizes: shape, data: Float32Array.from({ length }, (_, i) => (isScale ? 1 : deviation * random.normal(own, i))) }
  })(decoderSpecs(config)) as ValuesOf<DecoderSpecs>
}
