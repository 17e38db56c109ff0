import { random } from '../../../dsl/index.js'

/** Models as Hugging Face has them: their files made by hand, and their formulas written out. Nothing here is of ours but the random numbers. */

/** A matrix [out, in], or a vector. */
export interface Weight {
  readonly shape: readonly number[]
  readonly data: readonly number[]
}

export type Weights = Readonly<Record<string, Weight>>
export type Json = Readonly<Record<string, unknown>>

/** What config.json leaves to the family. */
export interface Peculiar {
  readonly headDim: number
  readonly base: number
  readonly epsilon: number
}

const range = (n: number): readonly number[] => Array.from({ length: n }, (_, i) => i)

type Vector = readonly number[]
const total = (xs: Vector): number => xs.reduce((sum, x) => sum + x, 0)
const dot = (x: Vector, y: Vector): number => total(x.map((xi, i) => xi * y[i]!))
const plus = (x: Vector, y: Vector): Vector => x.map((xi, i) => xi + y[i]!)
const rowsOf = ({ shape: [rows, columns], data }: Weight): readonly Vector[] =>
  range(rows!).map((row) => data.slice(row * columns!, (row + 1) * columns!))

/** torch.nn.functional.linear: x·Wᵀ + b. */
const linear = (weights: Weights, name: string, x: Vector): Vector => {
  const bias = weights[`${name}.bias`]?.data
  return rowsOf(weights[`${name}.weight`]!).map((row, i) => dot(row, x) + (bias?.[i] ?? 0))
}

const rmsNorm = (weight: Weight | undefined, x: Vector, epsilon: number): Vector =>
  weight === undefined ? x : x.map((xi, i) => (xi / Math.sqrt(dot(x, x) / x.length + epsilon)) * weight.data[i]!)

/** x·cos + rotate_half(x)·sin, with rotate_half(x₁, x₂) = (−x₂, x₁) of the halves, and the angles of the first half again in the second. */
const turned = (x: Vector, position: number, base: number): Vector => {
  const half = x.length / 2
  const angles = range(x.length).map((i) => position / base ** ((2 * (i % half)) / x.length))
  const rotated = [...x.slice(half).map((xi) => -xi), ...x.slice(0, half)]
  return x.map((xi, i) => xi * Math.cos(angles[i]!) + rotated[i]! * Math.sin(angles[i]!))
}

const chunks = (x: Vector, size: number): readonly Vector[] => range(x.length / size).map((i) => x.slice(i * size, (i + 1) * size))
const softmax = (x: Vector): Vector => x.map((xi) => Math.exp(xi) / total(x.map(Math.exp)))
const silu = (x: number): number => x / (1 + Math.exp(-x))

/** The logits after each token. */
export const logitsOf = (
  json: Json,
  { headDim, base, epsilon }: Peculiar,
  weights: Weights,
  isTied: boolean,
  ids: Vector,
): readonly Vector[] => {
  const [layers, heads, keyHeads] = ['num_hidden_layers', 'num_attention_heads', 'num_key_value_heads'].map((key) => json[key] as number)
  const embedding = rowsOf(weights['model.embed_tokens.weight']!)
  let xs = ids.map((id) => embedding[id]!)
  for (const layer of range(layers!)) {
    const at = (name: string): string => `model.layers.${String(layer)}.${name}`
    const hs = xs.map((x) => rmsNorm(weights[at('input_layernorm.weight')], x, epsilon))
    const heard = (name: 'q' | 'k', h: Vector, t: number): readonly Vector[] =>
      chunks(linear(weights, at(`self_attn.${name}_proj`), h), headDim).map((x) =>
        turned(rmsNorm(weights[at(`self_attn.${name}_norm.weight`)], x, epsilon), t, base),
      )
    const keys = hs.map((h, t) => heard('k', h, t))
    const values = hs.map((h) => chunks(linear(weights, at('self_attn.v_proj'), h), headDim))
    xs = xs.map((x, t) => {
      const attended = heard('q', hs[t]!, t).flatMap((query, head) => {
        // repeat_kv: each key head n times, one after the other.
        const shared = range(keyHeads!).flatMap((h) => range(heads! / keyHeads!).map(() => h))[head]!
        const shares = softmax(range(t + 1).map((s) => dot(query, keys[s]![shared]!) / Math.sqrt(headDim)))
        return range(headDim).map((i) => total(shares.map((share, s) => share * values[s]![shared]![i]!)))
      })
      const added = plus(x, linear(weights, at('self_attn.o_proj'), attended))
      const h = rmsNorm(weights[at('post_attention_layernorm.weight')], added, epsilon)
      const up = linear(weights, at('mlp.up_proj'), h)
      const gated = linear(weights, at('mlp.gate_proj'), h).map((gate, i) => silu(gate) * up[i]!)
      return plus(added, linear(weights, at('mlp.down_proj'), gated))
    })
  }
  const output = rowsOf(weights[isTied ? 'model.embed_tokens.weight' : 'lm_head.weight']!)
  return xs.map((x) => output.map((row) => dot(row, rmsNorm(weights['model.norm.weight'], x, epsilon))))
}

/** A weight of so many rows and columns, with few enough bits that bf16 and f16 hold it as it is. */
export const weight = (seed: number, ...shape: readonly number[]): Weight => ({
  shape,
  data: range(shape.reduce((p, n) => p * n, 1)).map((i) => (random.integer(random.key(seed), i, 63) - 31) / 32),
})
