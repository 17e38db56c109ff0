/** Distances between floats in units of the last place. */

const smallestNormal = 2 ** -126

export const isSubnormal = (x: number): boolean => x !== 0 && Math.abs(x) < smallestNormal

/** The distance between x and the next float32. */
export const ulpOf = (x: number): number =>
  Math.abs(x) < smallestNormal ? 2 ** -149 : 2 ** (Math.floor(Math.log2(Math.abs(Math.fround(x)))) - 23)

/** How many float32 lie between a result and the true value; ∞ unless both are finite or both the same. */
export const ulpsApart = (result: number, truth: number): number => {
  if (Object.is(result, Math.fround(truth))) return Number.isFinite(result) ? Math.abs(result - truth) / ulpOf(truth) : 0
  return Number.isFinite(result) && Number.isFinite(Math.fround(truth)) ? Math.abs(result - truth) / ulpOf(truth) : Infinity
}
