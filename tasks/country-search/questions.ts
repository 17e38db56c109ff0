import type { Draw, Split } from '../environment.js'
import type { Base } from './base.js'
import type { Hops, Objective } from './objectives.js'
import { type SearchSettings, weights } from './settings.js'

export interface Question {
  /** In the order in which they are asked, no two the same. */
  readonly objectives: readonly Objective[]
  /** How many turns there are in all. */
  readonly turns: number
  /** The order of each turn's results, as a number of a permutation: chance is spent here, so that acting takes none. */
  readonly orders: readonly number[]
}

/** Draws that say how many objectives, then two for each of them, and from here on one for each turn. */
const firstOrder = 64

const fine = 2 ** 24
/** Draw i as a number from 0 up to 1. */
export const uniform = (draw: Draw, i: number): number => draw(i, fine) / fine

/** A count by its weight: the first at which the running sum of weights passes u · Σ weights. */
const countAt = (u: number, mix: SearchSettings['objectives']): number => {
  const entries = weights(mix)
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0)
  let running = 0
  return (entries.find(([, weight]) => (running += weight) > u * total) ?? entries.at(-1))?.[0] ?? 1
}

/** The first objective from a place on that was not chosen yet, going round. */
const nextFrom = (pool: readonly Objective[], at: number, chosen: readonly Objective[]): Objective | undefined => {
  for (let step = 0; step < pool.length; step++) {
    const objective = pool[(at + step) % pool.length]
    if (objective !== undefined && !chosen.includes(objective)) return objective
  }
  return undefined
}

const factorial = (n: number): number => (n <= 1 ? 1 : n * factorial(n - 1))

/** A question of a split, whose objectives are all of that split. */
export const questionOf =
  ({ objectives }: Base, { objectives: mix, twoHops, slack, results }: SearchSettings) =>
  (split: Split, draw: Draw): Question => {
    const chosen: Objective[] = []
    for (let k = countAt(uniform(draw, 0), mix); k > 0; k--) {
      const hops: Hops = uniform(draw, 2 * k - 1) < twoHops ? 2 : 1
      const pool = objectives[split][hops]
      const next = nextFrom(pool, draw(2 * k, pool.length), chosen)
      if (next !== undefined) chosen.push(next)
    }
    const turns = chosen.reduce((sum, { path }) => sum + path.length, 0) + 1 + slack
    return { objectives: chosen, turns, orders: Array.from({ length: turns }, (_, t) => draw(firstOrder + t, factorial(results))) }
  }
