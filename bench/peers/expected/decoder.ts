import { normEpsilon, type DecoderSizes, rotaryBase } from '../inputs/decoder.js'
import { causalAttention, gated, type Heads, linear, rmsNorm, sum, turned } from './layers.js'
import { type Matrix, plus, product, transposed, zeros } from './matrix.js'

export type Parameters = Readonly<Record<string, Matrix>>

/** The logits of each token, and the pull of a cotangent of them to the parameters. */
export interface Decoded {
  readonly logits: Matrix
  readonly pull: (ct: Matrix) => Parameters
}

interface Layer {
  readonly y: Matrix
  /** To what the layer was given, and to its parameters. */
  readonly pull: (ct: Matrix) => { readonly dx: Matrix; readonly grads: Parameters }
}

const attentionPart = (params: Parameters, layer: string, x: Matrix, heads: Heads): Layer => {
  const { width } = heads
  const norm = rmsNorm(x, params[`n1.${layer}`]!, normEpsilon)
  const [query, key, value] = ['q', 'k', 'v'].map((name) => linear(norm.y, params[`w${name}.${layer}`]!, width, width)) as [
    Projected,
    Projected,
    Projected,
  ]
  const attended = causalAttention(turned(query.y, heads, rotaryBase, 1), turned(key.y, heads, rotaryBase, 1), value.y, heads)
  const output = linear(attended.y, params[`wo.${layer}`]!, width, width)
  return {
    y: plus(x, output.y),
    pull: (ct) => {
      const [dAttended, dOutput] = output.pull(ct)
      const [dQuery, dKey, dValue] = attended.pull(dAttended!)
      const [fromQuery, wq] = query.pull(turned(dQuery!, heads, rotaryBase, -1))
      const [fromKey, wk] = key.pull(turned(dKey!, heads, rotaryBase, -1))
      const [fromValue, wv] = value.pull(dValue!)
      const [dx, n1] = norm.pull(sum([fromQuery!, fromKey!, fromValue!]))
      return { dx: plus(ct, dx!), grads: named(layer, { n1: n1!, wq: wq!, wk: wk!, wv: wv!, wo: dOutput! }) }
    },
  }
}

type Projected = ReturnType<typeof linear>

const named = (layer: string, grads: Parameters): Parameters =>
  Object.fromEntries(Object.entries(grads).map(([name, grad]) => [`${name}.${layer}`, grad]))

const feedForwardPart = (params: Parameters, layer: string, x: Matrix, { width, ffn }: DecoderSizes): Layer => {
  const norm = rmsNorm(x, params[`n2.${layer}`]!, normEpsilon)
  const gate = linear(norm.y, params[`w1.${layer}`]!, width, ffn)
  const up = linear(norm.y, params[`w3.${layer}`]!, width, ffn)
  const hidden = gated(gate.y, up.y)
  const down = linear(hidden.y, params[`w2.${layer}`]!, ffn, width)
  return {
    y: plus(x, down.y),
    pull: (ct) => {
      const [dHidden, w2] = down.pull(ct)
      const [dGate, dUp] = hidden.pull(dHidden!)
      const [fromGate, w1] = gate.pull(dGate!)
      const [fromUp, w3] = up.pull(dUp!)
      const [dx, n2] = norm.pull(plus(fromGate!, fromUp!))
      return { dx: plus(ct, dx!), grads: named(layer, { n2: n2!, w1: w1!, w3: w3!, w2: w2! }) }
    },
  }
}

/** The decoder of the workloads in float64, by hand: it shares nothing with what it judges. Ids are [batch, time]. */
export const decode = (sizes: DecoderSizes, params: Parameters, ids: ArrayLike<number>): Decoded => {
  const { vocab, width } = sizes
  const embedding = params['emb']!
  const embedded = zeros(ids.length * width)
  for (let i = 0; i < ids.length; i++) embedded.set(embedding.subarray(ids[i]! * width, (ids[i]! + 1) * width), i * width)
  const parts: Layer[] = []
  let x: Matrix = embedded
  for (let layer = 0; layer < sizes.layers; layer++)
    for (const part of [
      (y: Matrix) => attentionPart(params, String(layer), y, sizes),
      (y: Matrix) => feedForwardPart(params, String(layer), y, sizes),
    ]) {
      const made = part(x)
      parts.push(made)
      x = made.y
    }
  const norm = rmsNorm(x, params['nf']!, normEpsilon)
  return {
    logits: product(norm.y, transposed(embedding, vocab, width), ids.length, width, vocab),
    pull: (ct) => {
      const emb = product(transposed(ct, ids.length, vocab), norm.y, vocab, ids.length, width)
      const [fromNorm, nf] = norm.pull(product(ct, embedding, ids.length, vocab, width))
      let dx = fromNorm!
      const all: Record<string, Matrix> = { emb, nf: nf! }
      for (const { pull } of parts.toReversed()) {
        const made = pull(dx)
        Object.assign(all, made.grads)
        dx = made.dx
      }
      for (let i = 0; i < dx.length; i++) emb[ids[Math.floor(i / width)]! * width + (i % width)]! += dx[i]!
      return all
    },
  }
}
