/** Numbers that depend on a name alone, the same on every machine. */
export interface Stream {
  /** In [0, 1). */
  readonly uniform: () => number
  /** Of mean 0 and variance 1. */
  readonly normal: () => number
}

export const seed = 20261130

/** FNV-1a, of names in ASCII. */
const hash = (name: string): number => Buffer.from(name).reduce((h, byte) => Math.imul(h ^ byte, 16777619), 2166136261 ^ seed) >>> 0

/** Mulberry32. */
const uniformFrom = (start: number): (() => number) => {
  let state = start
  return () => {
    state = (state + 0x6d2b79f5) | 0
    const a = Math.imul(state ^ (state >>> 15), state | 1)
    const b = (a + Math.imul(a ^ (a >>> 7), a | 61)) ^ a
    return ((b ^ (b >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Box and Muller's pairs, from two uniform numbers each. */
const normalFrom = (uniform: () => number): (() => number) => {
  let second: number | undefined
  return () => {
    if (second !== undefined) {
      const kept = second
      second = undefined
      return kept
    }
    const radius = Math.sqrt(-2 * Math.log(1 - uniform()))
    const angle = 2 * Math.PI * uniform()
    second = radius * Math.sin(angle)
    return radius * Math.cos(angle)
  }
}

/** The stream of a name. Its two kinds of numbers take turns at one source: what one takes, the other does not see. */
export const streamOf = (name: string): Stream => {
  const uniform = uniformFrom(hash(name))
  return { uniform, normal: normalFrom(uniform) }
}
