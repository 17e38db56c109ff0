import * as E from 'fp-ts/lib/Either.js'
import { type Habits, noHabits } from './habits.js'
import { isShare, isWhole, ruled, type SettingError } from '../setting-error.js'
import { maxCount, maxObjectives } from './vocabulary.js'
import { maxResults } from './search.js'

/**
 * What a context holds. `memory`: the question, what the policy last remembered, and its last search. `full`: the question and
 * everything since; the policy then writes no memory.
 */
export type ContextKind = 'memory' | 'full'

/** The weight of a question with that many objectives; one that is not named is not asked. */
export type Mix = Readonly<Partial<Record<1 | 2 | 3 | 4 | 5 | 6 | 7 | 8, number>>>

/** What each part of the reward is worth: the reward is Σ weight · part. */
export interface RewardWeights {
  /** 1 where every objective is answered right. */
  readonly exact: number
  /** The share of objectives answered right; none where there are not as many answers as objectives. */
  readonly fraction: number
  /** 1 where no turn was malformed. */
  readonly format: number
}

export interface SearchSettings {
  readonly context: ContextKind
  readonly objectives: Mix
  /** The share of objectives that take two hops. */
  readonly twoHops: number
  /** Facts that a search shows. */
  readonly results: number
  /** Turns to spare: a question of h hops has h + 1 + slack. */
  readonly slack: number
  readonly reward: RewardWeights
  /** What the oracle does wrong. */
  readonly habits: Habits
}

export const defaults: SearchSettings = {
  context: 'memory',
  objectives: { 1: 1, 2: 1, 3: 1 },
  twoHops: 0.5,
  results: 5,
  slack: 2,
  reward: { exact: 0, fraction: 1, format: 0 },
  habits: noHabits,
}

/** The most objectives that a question of this mix may have; 0 of an empty mix. */
export const mostObjectives = (mix: Mix): number => Math.max(0, ...weights(mix).map(([count]) => count))

/** Counts with a weight, ascending. */
export const weights = (mix: Mix): readonly (readonly [count: number, weight: number])[] =>
  Object.entries(mix)
    .map(([count, weight]) => [Number(count), weight] as const)
    .filter(([, weight]) => weight !== 0)

const isWeight = (x: number): boolean => Number.isFinite(x) && x >= 0

/** The settings with what was not said filled in; what is wrong with them, if anything. */
export const settingsFrom = (given: Partial<SearchSettings>): E.Either<readonly SettingError[], SearchSettings> => {
  const settings = { ...defaults, ...given }
  const { objectives, twoHops, results, slack, reward, habits } = settings
  const mix = weights(objectives)
  const most = mostObjectives(objectives)
  const spare = maxCount - 2 * most - 1
  const errors = [
    ...ruled(
      mix.length > 0 && mix.every(([count, weight]) => isWhole(count, 1, maxObjectives) && isWeight(weight)),
      'objectives',
      objectives,
      `gives a weight to at least one count from 1 to ${String(maxObjectives)}, and none below 0`,
    ),
    ...ruled(isShare(twoHops), 'twoHops', twoHops, 'is a share from 0 to 1'),
    ...ruled(isWhole(results, 1, maxResults), 'results', results, `is a whole number from 1 to ${String(maxResults)}`),
    ...ruled(isWhole(slack, 0, spare), 'slack', slack, `is a whole number from 0 to ${String(spare)} with ${String(most)} objectives`),
    ...Object.entries(reward).flatMap(([part, weight]: readonly [string, number]) =>
      ruled(isWeight(weight), `reward.${part}`, weight, 'is a weight of at least 0'),
    ),
    ...Object.entries(habits).flatMap(([habit, p]: readonly [string, number]) =>
      ruled(isShare(p), `habits.${habit}`, p, 'is a probability from 0 to 1'),
    ),
  ]
  return errors.length > 0 ? E.left(errors) : E.right(settings)
}
