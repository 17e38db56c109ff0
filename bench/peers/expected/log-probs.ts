import { type Matrix, zeros } from './matrix.js'

/** log softmax(logits) at an id of each row of [rows, vocab], and the pull of a cotangent of it to the logits. */
export const logProbs = (
  logits: ArrayLike<number>,
  ids: ArrayLike<number>,
  vocab: number,
): { readonly value: Matrix; readonly pull: (ct: ArrayLike<number>) => Matrix } => {
  const rows = ids.length
  const [value, log] = [zeros(rows), zeros(rows)]
  for (let row = 0; row < rows; row++) {
    let greatest = -Infinity
    for (let j = 0; j < vocab; j++) greatest = Math.max(greatest, logits[row * vocab + j]!)
    let sum = 0
    for (let j = 0; j < vocab; j++) sum += Math.exp(logits[row * vocab + j]! - greatest)
    log[row] = greatest + Math.log(sum)
    value[row] = logits[row * vocab + ids[row]!]! - log[row]!
  }
  const pull = (ct: ArrayLike<number>): Matrix => {
    const slopes = zeros(rows * vocab)
    for (let row = 0; row < rows; row++) {
      if (ct[row] === 0) continue
      for (let j = 0; j < vocab; j++) slopes[row * vocab + j] = -ct[row]! * Math.exp(logits[row * vocab + j]! - log[row]!)
      slopes[row * vocab + ids[row]!]! += ct[row]!
    }
    return slopes
  }
  return { value, pull }
}
