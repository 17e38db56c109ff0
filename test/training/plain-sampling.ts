/** Drawing written out in plain numbers, in float64: nothing here is of ours. */

interface Settings {
  readonly temperature: number
  readonly topK?: number
  readonly topP?: number
}

const total = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0)

const softmax = (logits: readonly number[], temperature: number): readonly number[] => {
  const top = Math.max(...logits)
  const weights = logits.map((x) => Math.exp((x - top) / temperature))
  return weights.map((x) => x / total(weights))
}

/** The probabilities that a token is drawn with. */
export const plainProbabilities = (logits: readonly number[], { temperature, topK = logits.length, topP = 1 }: Settings) => {
  if (temperature === 0) return logits.map((_, id) => (id === logits.indexOf(Math.max(...logits)) ? 1 : 0))
  const probabilities = softmax(logits, temperature)
  const among = probabilities.map((p) => (probabilities.filter((other) => other > p).length < topK ? p : 0))
  const aim = topP * total(among)
  const kept = among.map((p) => (topP === 1 || total(among.filter((other) => other > p)) < aim ? p : 0))
  return kept.map((p) => p / total(kept))
}

/** The token at u, log π and log μ. */
export const plainDraw = (logits: readonly number[], u: number, settings: Settings) => {
  const probabilities = plainProbabilities(logits, settings)
  let left = u
  const found = probabilities.findIndex((p) => (left -= p) < 0)
  const id = found < 0 ? probabilities.findLastIndex((p) => p > 0) : found
  return { id, logProb: Math.log(softmax(logits, 1)[id]!), samplingLogProb: Math.log(probabilities[id]!) }
}
