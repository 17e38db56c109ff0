/** A token drawn from a policy. Its log-probabilities are in nats, and the same at temperature 1. */
export interface Drawn {
  readonly id: number
  /** log π(id), of softmax(logits): the policy's own, whatever the temperature. */
  readonly logProb: number
  /** log μ(id), of softmax(logits / temperature): of the distribution that it was drawn from. */
  readonly samplingLogProb: number
}

const greatest = (logits: ArrayLike<number>): number => {
  let best = 0
  for (let id = 1; id < logits.length; id++) if ((logits[id] ?? NaN) > (logits[best] ?? NaN)) best = id
  return best
}

/** log softmax(logits / temperature), in float64. */
const logSoftmax = (logits: ArrayLike<number>, temperature: number): Float64Array => {
  const top = logits[greatest(logits)] ?? NaN
  const scaled = Float64Array.from(logits, (x) => (x - top) / temperature)
  const logTotal = Math.log(scaled.reduce((sum, x) => sum + Math.exp(x), 0))
  return scaled.map((x) => x - logTotal)
}

/**
 * The token at u ∈ [0, 1) of softmax(logits / temperature): the first whose cumulative probability exceeds u, in float64.
 * Temperature 0 is the limit: the most likely token, the first at a tie, with sampling probability 1.
 */
export const drawToken = (logits: ArrayLike<number>, temperature: number, u: number): Drawn => {
  const best = greatest(logits)
  const policy = logSoftmax(logits, 1)
  if (temperature === 0) return { id: best, logProb: policy[best] ?? NaN, samplingLogProb: 0 }
  const sampling = temperature === 1 ? policy : logSoftmax(logits, temperature)
  let left = u
  const id = sampling.findIndex((x) => (left -= Math.exp(x)) < 0)
  const drawn = id < 0 ? best : id // rounding may leave a little at the end
  return { id: drawn, logProb: policy[drawn] ?? NaN, samplingLogProb: sampling[drawn] ?? NaN }
}
