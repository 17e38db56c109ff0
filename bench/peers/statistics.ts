const sorted = (xs: readonly number[]): readonly number[] => xs.toSorted((a, b) => a - b)

/** The number below which a part of them lies, between neighbours in proportion. */
export const quantile = (xs: readonly number[], part: number): number => {
  const order = sorted(xs)
  const at = part * (order.length - 1)
  const [below = NaN, above = below] = [order[Math.floor(at)], order[Math.ceil(at)]]
  return below + (at - Math.floor(at)) * (above - below)
}

export const median = (xs: readonly number[]): number => quantile(xs, 0.5)

/** Half of what the middle half of them spans, as a part of the median. */
export const spread = (xs: readonly number[]): number => (quantile(xs, 0.75) - quantile(xs, 0.25)) / (2 * median(xs))

const mean = (xs: readonly number[]): number => xs.reduce((sum, x) => sum + x, 0) / xs.length

export const geometricMean = (xs: readonly number[]): number => Math.exp(mean(xs.map(Math.log)))

/** p in y = c·xᵖ, by least squares in the logarithms. */
export const exponent = (points: readonly (readonly [x: number, y: number])[]): number => {
  const [xs, ys] = [points.map(([x]) => Math.log(x)), points.map(([, y]) => Math.log(y))]
  const [x, y] = [mean(xs), mean(ys)]
  return mean(xs.map((a, i) => (a - x) * (ys[i]! - y))) / mean(xs.map((a) => (a - x) ** 2))
}
