import type { DecoderConfig, DecoderSpecs, ValuesOf } from '../../models/index.js'

/** The formulas of a decoder written out in plain numbers, one row at a time: nothing here is of ours but the names of the weights. */

type Vector = readonly number[]
type Weights = ValuesOf<DecoderSpecs>

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)
const total = (xs: Vector): number => xs.reduce((sum, x) => sum + x, 0)
const dot = (x: Vector, y: Vector): number => total(x.map((xi, i) => xi * y[i]!))
const plus = (x: Vector, y: Vector): Vector => x.map((xi, i) => xi + y[i]!)

/** x · w, where w is [x.length, n] row by row. */
const times = (x: Vector, { data }: Weights['norm'], n: number): Vector =>
  range(n).map((j) => total(x.map((xi, i) => xi * data[i * n + j]!)))

const rmsNorm = (x: Vector, { data }: Weights['norm'], epsilon: number): Vector =>
  x.map((xi, i) => (xi * data[i]!) / Math.sqrt(dot(x, x) / x.length + epsilon))

const rotate = (x: Vector, position: number, base: number): Vector => {
  const half = x.length / 2
  const angle = (i: number): number => position * base ** (-(i % half) / half)
  return x.map((xi, i) =>
    i < half ? xi * Math.cos(angle(i)) - x[i + half]! * Math.sin(angle(i)) : xi * Math.cos(angle(i)) + x[i - half]! * Math.sin(angle(i)),
  )
}

/** The part of a projection that belongs to a head, with its bias. */
const headOf = (x: Vector, weight: Weights['norm'], bias: Weights['norm'] | undefined, h: number, size: number): Vector => {
  const n = weight.sizes[1]! * size
  const shifted = times(x, weight, n).map((y, i) => y + (bias?.data[i] ?? 0))
  return shifted.slice(h * size, (h + 1) * size)
}

const softmax = (x: Vector): Vector => x.map((xi) => Math.exp(xi) / total(x.map(Math.exp)))

/** The logits after each token of one row. */
export const plainLogits = (config: DecoderConfig, weights: Weights, ids: Vector): readonly Vector[] => {
  const { embed, heads, keyHeads = heads, headDim, ffn, vocab, rotaryBase = 10_000, normEpsilon = 1e-5 } = config
  const row = ({ data }: Weights['norm'], id: number): Vector => range(embed).map((i) => data[id * embed + i]!)
  const { embedding, unembedding = embedding } = weights
  const normed = (x: Vector, weight: Weights['norm'] | undefined): Vector => (weight === undefined ? x : rmsNorm(x, weight, normEpsilon))
  let xs = ids.map((id) => row(embedding, id))
  for (const layer of weights.layers) {
    const hs = xs.map((x) => rmsNorm(x, layer.attentionNorm, normEpsilon))
    const query = (h: number, t: number): Vector =>
      rotate(normed(headOf(hs[t]!, layer.query, layer.queryBias, h, headDim), layer.queryHeadNorm), t, rotaryBase)
    const key = (h: number, t: number): Vector =>
      rotate(normed(headOf(hs[t]!, layer.key, layer.keyBias, h, headDim), layer.keyHeadNorm), t, rotaryBase)
    const value = (h: number, t: number): Vector => headOf(hs[t]!, layer.value, layer.valueBias, h, headDim)
    // Heads 0, 1, …, heads/keyHeads − 1 look at key head 0, the next as many at key head 1, and so on.
    const keyHeadOf = (h: number): number => Math.floor(h / (heads / keyHeads))
    const attended = (t: number): Vector =>
      range(heads).flatMap((h) => {
        const before = range(t + 1)
        const shares = softmax(before.map((s) => dot(query(h, t), key(keyHeadOf(h), s)) / Math.sqrt(headDim)))
        return range(headDim).map((i) => total(before.map((s) => shares[s]! * value(keyHeadOf(h), s)[i]!)))
      })
    const added = xs.map((x, t) => plus(x, times(attended(t), layer.output, embed)))
    xs = added.map((x) => {
      const h = rmsNorm(x, layer.ffnNorm, normEpsilon)
      const up = times(h, layer.up, ffn)
      const gated = times(h, layer.gate, ffn).map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!)
      return plus(x, times(gated, layer.down, embed))
    })
  }
  return xs.map((x) => range(vocab).map((id) => dot(rmsNorm(x, weights.norm, normEpsilon), row(unembedding, id))))
}
