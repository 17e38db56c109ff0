import fc from 'fast-check'

const words = new Uint32Array(1)
const floats = new Float32Array(words.buffer)

/** A float32 by its bits. */
export const fromBits = (bits: number): number => {
  words[0] = bits
  return floats[0]!
}

/** From a number to its neighbour. */
const ulp = (value: number): number => {
  floats[0] = Math.abs(value)
  const exponent = words[0]! >>> 23
  return 2 ** (Math.max(exponent, 1) - 150)
}

/** How far from the exact value, in ULP: 0 where both round to the same float32. NaN, ∞ and the sign of 0 agree exactly. */
export const distance = (got: number, exact: number): number => {
  const nearest = Math.fround(exact)
  if (Object.is(got, nearest)) return Number.isFinite(got) ? Math.abs(got - exact) / ulp(exact) : 0
  return Number.isFinite(got) && Number.isFinite(nearest) && nearest !== 0 ? Math.abs(got - exact) / ulp(exact) : Infinity
}

/** Whether it is the nearest float32, or within so many ULP. */
export const isNear = (got: number, exact: number, bound: number): boolean =>
  Object.is(got, Math.fround(exact)) || distance(got, exact) <= bound

/** How far off the nearest float32 of a number may be that was computed in float64: what rounding costs. */
export const rounded = 0.501

export const special = [
  0,
  -0,
  1,
  -1,
  0.5,
  -0.5,
  2,
  -2,
  3,
  -3,
  1.5,
  2 ** 24,
  2 ** 24 - 1,
  2 ** -126,
  2 ** -149,
  -(2 ** -149),
  (2 - 2 ** -23) * 2 ** 127,
]
  .flatMap((x) => [x, -x])
  .concat([1 + 2 ** -23, 1 - 2 ** -24, Infinity, -Infinity, NaN])

/** Numbers of every exponent and sign: 2³² and the step have no common divisor. */
export const sweep = Array.from({ length: Math.floor(2 ** 32 / 40009) }, (_, i) => fromBits(i * 40009))

/** All of a few thousand neighbours around each point. */
export const around = (x: number): readonly number[] => {
  floats[0] = x
  const bits = words[0]!
  return Array.from({ length: 4001 }, (_, i) => fromBits(bits + i - 2000))
}

export const anyFloat = fc.nat({ max: 0xffffffff }).map(fromBits)
