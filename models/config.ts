/** A decoder of the Llama family: every size of it, each a whole number from 1. */
export interface DecoderConfig {
  /** How many ids there are. */
  readonly vocab: number
  /** The width of the stream. */
  readonly embed: number
  readonly layers: number
  readonly heads: number
  /** How many heads of keys and values the heads share, a divisor of their number; as many as heads unless given. */
  readonly keyHeads?: number
  /** Even: rotary positions turn pairs. It need not be embed / heads. */
  readonly headDim: number
  /** The width of the feed-forward part. */
  readonly ffn: number
  /** The longest rotary wavelength is 2π times about this many tokens; 10,000 unless given. */
  readonly rotaryBase?: number
  /** Added to the mean square in RMSNorm; 1e-5 unless given. */
  readonly normEpsilon?: number
  /** Whether the embedding is the output matrix, too; true unless given. */
  readonly isTied?: boolean
  /** Whether queries, keys and values have a bias, as in Qwen2; false unless given. */
  readonly hasBias?: boolean
  /** Whether each head's query and key are normalised before they are turned, as in Qwen3; false unless given. */
  readonly hasHeadNorm?: boolean
  /** Whether the backward pass computes each layer again in place of keeping what it made (`checkpoint`): less memory, more time; false unless given. */
  readonly recomputesLayers?: boolean
}

export const defaultRotaryBase = 10_000
export const defaultNormEpsilon = 1e-5
