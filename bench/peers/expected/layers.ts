import { type Matrix, plus, product, transposed, zeros } from './matrix.js'

/** What a layer makes, and the pull of a cotangent of it to what it was given. */
export interface Pulled {
  readonly y: Matrix
  readonly pull: (ct: Matrix) => readonly Matrix[]
}

/** x·w, of [rows, depth] and [depth, columns]. */
export const linear = (x: Matrix, w: Matrix, depth: number, columns: number): Pulled => {
  const rows = x.length / depth
  return {
    y: product(x, w, rows, depth, columns),
    pull: (ct) => [
      product(ct, transposed(w, depth, columns), rows, columns, depth),
      product(transposed(x, rows, depth), ct, depth, rows, columns),
    ],
  }
}

/** x / √(mean x² + ε) · weight along rows of the weight's length. */
export const rmsNorm = (x: Matrix, weight: Matrix, epsilon: number): Pulled => {
  const width = weight.length
  const inverse = zeros(x.length / width)
  for (let row = 0; row < inverse.length; row++) {
    let sum = 0
    for (let j = 0; j < width; j++) sum += x[row * width + j]! ** 2
    inverse[row] = 1 / Math.sqrt(sum / width + epsilon)
  }
  const pull = (ct: Matrix): readonly Matrix[] => {
    const [dx, dw] = [zeros(x.length), zeros(width)]
    for (let row = 0; row < inverse.length; row++) {
      const r = inverse[row]!
      let along = 0
      for (let j = 0; j < width; j++) along += ct[row * width + j]! * weight[j]! * x[row * width + j]!
      for (let j = 0; j < width; j++) {
        const i = row * width + j
        dx[i] = r * (ct[i]! * weight[j]! - (x[i]! * r * r * along) / width)
        dw[j]! += ct[i]! * x[i]! * r
      }
    }
    return [dx, dw]
  }
  return { y: x.map((a, i) => a * inverse[Math.floor(i / width)]! * weight[i % width]!), pull }
}

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x))

/** silu(gate) ⊙ up */
export const gated = (gate: Matrix, up: Matrix): Pulled => ({
  y: gate.map((g, i) => g * sigmoid(g) * up[i]!),
  pull: (ct) => [
    ct.map((c, i) => c * up[i]! * sigmoid(gate[i]!) * (1 + gate[i]! * (1 - sigmoid(gate[i]!)))),
    ct.map((c, i) => c * gate[i]! * sigmoid(gate[i]!)),
  ],
})

/** Where heads lie in a stream of [batch·time, width]. */
export interface Heads {
  readonly batch: number
  readonly time: number
  readonly width: number
  readonly heads: number
}

/** Each head's pairs (xᵢ, xᵢ₊ₕ) turned by the angles of their place; turned back with `sign` −1. */
export const turned = (x: Matrix, { time, width, heads }: Heads, base: number, sign: 1 | -1): Matrix => {
  const headDim = width / heads
  const half = headDim / 2
  const y = zeros(x.length)
  for (let at = 0; at < x.length; at += headDim)
    for (let i = 0; i < half; i++) {
      const angle = (Math.floor(at / width) % time) * base ** (-i / half)
      const [c, s, a, b] = [Math.cos(angle), sign * Math.sin(angle), x[at + i]!, x[at + half + i]!]
      y[at + i] = a * c - b * s
      y[at + half + i] = b * c + a * s
    }
  return y
}

/** Rows of one head of one sequence, [time, headDim]. */
const rowsOf = (x: Matrix, { time, width, heads }: Heads, sequence: number, head: number): Matrix => {
  const headDim = width / heads
  return Float64Array.from(
    { length: time * headDim },
    (_, i) => x[(sequence * time + Math.floor(i / headDim)) * width + head * headDim + (i % headDim)]!,
  )
}

const put = (into: Matrix, rows: Matrix, { time, width, heads }: Heads, sequence: number, head: number): void => {
  const headDim = width / heads
  for (let t = 0; t < time; t++) into.set(rows.subarray(t * headDim, (t + 1) * headDim), (sequence * time + t) * width + head * headDim)
}

/** Softmax of each row of scores over the places up to its own; 0 at those behind it. */
const causalShares = (scores: Matrix, time: number): Matrix => {
  const shares = zeros(scores.length)
  for (let t = 0; t < time; t++) {
    const row = scores.subarray(t * time, t * time + t + 1)
    const greatest = row.reduce((a, b) => Math.max(a, b), -Infinity)
    const sum = row.reduce((total, score) => total + Math.exp(score - greatest), 0)
    row.forEach((score, i) => (shares[t * time + i] = Math.exp(score - greatest) / sum))
  }
  return shares
}

/** Causal attention of each head to itself, of queries, keys and values in [batch·time, width]. */
export const causalAttention = (q: Matrix, k: Matrix, v: Matrix, heads: Heads): Pulled => {
  const { batch, time, width } = heads
  const headDim = width / heads.heads
  const scale = headDim ** -0.5
  const each = Array.from({ length: batch * heads.heads }, (_, i) => {
    const [sequence, head] = [Math.floor(i / heads.heads), i % heads.heads]
    const [query, key, value] = [q, k, v].map((x) => rowsOf(x, heads, sequence, head)) as [Matrix, Matrix, Matrix]
    const scores = product(query, transposed(key, time, headDim), time, headDim, time).map((score) => score * scale)
    return { sequence, head, query, key, value, shares: causalShares(scores, time) }
  })
  const y = zeros(q.length)
  for (const { sequence, head, value, shares } of each) put(y, product(shares, value, time, time, headDim), heads, sequence, head)
  const pull = (ct: Matrix): readonly Matrix[] => {
    const [dq, dk, dv] = [zeros(q.length), zeros(q.length), zeros(q.length)]
    for (const { sequence, head, query, key, value, shares } of each) {
      const rows = rowsOf(ct, heads, sequence, head)
      const dShares = product(rows, transposed(value, time, headDim), time, headDim, time)
      const dScores = zeros(shares.length)
      for (let t = 0; t < time; t++) {
        let along = 0
        for (let i = 0; i <= t; i++) along += shares[t * time + i]! * dShares[t * time + i]!
        for (let i = 0; i <= t; i++) dScores[t * time + i] = scale * shares[t * time + i]! * (dShares[t * time + i]! - along)
      }
      put(dq, product(dScores, key, time, time, headDim), heads, sequence, head)
      put(dk, product(transposed(dScores, time, time), query, time, time, headDim), heads, sequence, head)
      put(dv, product(transposed(shares, time, time), rows, time, time, headDim), heads, sequence, head)
    }
    return [dq, dk, dv]
  }
  return { y, pull }
}

export const sum = (all: readonly Matrix[]): Matrix => all.reduce(plus)
