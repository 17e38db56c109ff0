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

const softmax = (x: Vector): Vector => x.map((xi) => Math.exp(xi) / total(x.map(Math.exp)))

/** The logits after each token of one row. */
export const plainLogits = (config: DecoderConfig, weights: Weights, ids: Vector): readonly Vector[] => {
  const { embed, heads, headDim, ffn, vocab, rotaryBase = 10_000, normEpsilon = 1e-5 } = config
  const embedding = (id: number): Vector => range(embed).map((i) => weights.embedding.data[id * embed + i]!)
  let xs = ids.map(embedding)
  for (const layer of weights.layers) {
    const hs = xs.map((x) => rmsNorm(x, layer.attentionNorm, normEpsilon))
    const head = (w: Weights['norm'], h: number, t: number): Vector =>
      times(hs[t]!, w, heads * headDim).slice(h * headDim, (h + 1) * headDim)
    const attended = (t: number): Vector =>
      range(heads).flatMap((h) => {
        const query = rotate(head(layer.query, h, t), t, rotaryBase)
        const before = range(t + 1)
        const shares = softmax(before.map((s) => dot(query, rotate(head(layer.key, h, s), s, rotaryBase)) / Math.sqrt(headDim)))
        return range(headDim).map((i) => total(before.map((s) => shares[s]! * head(layer.value, h, s)[i]!)))
      })
    const added = xs.map((x, t) => plus(x, times(attended(t), layer.output, embed)))
    xs = added.map((x) => {
      const h = rmsNorm(x, layer.ffnNorm, normEpsilon)
      const up = times(h, layer.up, ffn)
      const gated = times(h, layer.gate, ffn).map((g, i) => (g / (1 + Math.exp(-g))) * up[i]!)
      return plus(x, times(gated, layer.down, embed))
    })
  }
  return xs.map((x) => range(vocab).map((id) => dot(rmsNorm(x, weights.norm, normEpsilon), embedding(id))))
}
