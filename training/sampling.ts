/** A token drawn from a policy. */
export interface Drawn {
  readonly id: number
  /** log π(id) in nats, of the distribution that it was drawn from. */
  readonly logProb: number
}

const greatest = (logits: ArrayLike<number>): number => {
  let best = 0
  for (let id = 1; id < logits.length; id++) if ((logits[id] ?? NaN) > (logits[best] ?? NaN)) best = id
  return best
}

/**
 * The token at u ∈ [0, 1) of softmax(logits / temperature): the first whose cumulative probability exceeds u, in float64.
 * Temperature 0 is the limit: the most likely token, the first at a tie, with probability 1.
 */
export const drawToken = (logits: ArrayLike<number>, temperature: number, u: number): Drawn => {
  const best = greatest(logits)
  if (temperature === 0) return { id: best, logProb: 0 }
  const scaled = (id: number): number => ((logits[id] ?? NaN) - (logits[best] ?? NaN)) / temperature
  const weights = Float64Array.from(logits, (_, id) => Math.exp(scaled(id)))
  const total = weights.reduce((sum, weight) => sum + weight, 0)
  let left = u * total
  const id = weights.findIndex((weight) => (left -= weight) < 0)
  const drawn = id < 0 ? best : id // rounding may leave a little at the end
  return { id: drawn, logProb: scaled(drawn) - Math.log(total) }
}
