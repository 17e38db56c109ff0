/** Row-major matrices in float64, their sizes said beside them. */
export type Matrix = Float64Array

export const zeros = (length: number): Matrix => new Float64Array(length)

export const transposed = (x: Matrix, rows: number, columns: number): Matrix => {
  const y = zeros(x.length)
  for (let row = 0; row < rows; row++) for (let column = 0; column < columns; column++) y[column * rows + row] = x[row * columns + column]!
  return y
}

/** x·y of [rows, depth] and [depth, columns]; four steps of the depth at once, so that a sum is read and written a fourth as often. */
export const product = (x: Matrix, y: Matrix, rows: number, depth: number, columns: number): Matrix => {
  const z = zeros(rows * columns)
  for (let row = 0; row < rows; row++) {
    const to = row * columns
    let k = 0
    for (; k + 4 <= depth; k += 4) {
      const from = row * depth + k
      const [a, b, c, d] = [x[from]!, x[from + 1]!, x[from + 2]!, x[from + 3]!]
      const at = k * columns
      for (let j = 0; j < columns; j++)
        z[to + j] = z[to + j]! + a * y[at + j]! + b * y[at + columns + j]! + c * y[at + 2 * columns + j]! + d * y[at + 3 * columns + j]!
    }
    for (; k < depth; k++) {
      const a = x[row * depth + k]!
      for (let j = 0; j < columns; j++) z[to + j] = z[to + j]! + a * y[k * columns + j]!
    }
  }
  return z
}

export const plus = (x: Matrix, y: Matrix): Matrix => x.map((a, i) => a + y[i]!)
