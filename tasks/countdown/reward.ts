import { evaluate, numbersOf } from './arithmetic.js'
import type { Problem } from './problems.js'
import { parse } from './sequences.js'

/** What a miss earns: the same whatever its distance, or more the nearer it is. */
export type RewardKind = 'exact' | 'distance'

/** What a valid expression earns that misses the target by d. */
const missed: { readonly [K in RewardKind]: (d: number) => number } = {
  exact: () => 0.1,
  distance: (d) => 0.1 + 0.8 / (1 + d),
}

const sameNumbers = (x: readonly number[], y: readonly number[]): boolean => x.length === y.length && x.every((n, i) => n === y[i])

/**
 * The reward of an answer's tokens, in [0, 1]:
 *
 *   0                   malformed, or not each given number exactly once
 *   1                   the value is the target
 *   0.1                 another value, with `exact`
 *   0.1 + 0.8/(1 + d)   another value at distance d = |value − target|, with `distance`: 0.5 for the nearest miss, falling to 0.1
 *
 * `distance` tells apart the answers of a group that all miss, and so gives a gradient where `exact` gives none.
 */
export const reward =
  (kind: RewardKind) =>
  ({ numbers, target }: Problem, tokens: readonly number[]): number => {
    const expression = parse(tokens)
    if (expression === undefined || !sameNumbers(numbersOf(expression), numbers)) return 0
    const d = Math.abs(evaluate(expression) - target)
    return d === 0 ? 1 : missed[kind](d)
  }
