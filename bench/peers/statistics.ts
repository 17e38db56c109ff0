import { interquartileRange, linearRegression, median } from 'simple-statistics'

/** Half of what the middle half of them spans, as a part of the median. */
export const spread = (xs: readonly number[]): number => interquartileRange([...xs]) / (2 * median([...xs]))

/** p in y = c·xᵖ, by least squares in the logarithms. */
export const exponent = (points: readonly (readonly [x: number, y: number])[]): number =>
  linearRegression(points.map(([x, y]) => [Math.log(x), Math.log(y)])).m
