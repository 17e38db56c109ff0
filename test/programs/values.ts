import { countOf, random, type Value } from '../../dsl/index.js'
import type { Range } from './range.js'

/** Elements drawn within a range, on its grid if it has one; each a number that f32 holds. */
export const valueWithin = ({ low, high, grid }: Range, sizes: readonly number[], seed: number, stream: number): Value => {
  const from = random.fold(random.key(seed), stream)
  const step = grid === Infinity ? 0 : 2 ** -grid
  const draw = (i: number): number => {
    const u = random.uniform(from, i)
    return step === 0 ? Math.fround(low + u * (high - low)) : low + step * Math.floor(u * ((high - low) / step + 1))
  }
  return { sizes, data: Array.from({ length: countOf(sizes) }, (_, i) => draw(i)) }
}
