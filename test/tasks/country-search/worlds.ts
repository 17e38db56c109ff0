import fc from 'fast-check'
import { fold, integer, key } from '../../../dsl/random.js'
import {
  badHabits,
  type Base,
  baseOf,
  type ContextKind,
  countries,
  elements,
  type Habits,
  noHabits,
  type SearchSettings,
  type SearchState,
} from '../../../tasks/country-search/index.js'
import { searchEnvironment } from '../../../tasks/country-search/index.js'
import type { Draw, Environment, Split } from '../../../tasks/environment.js'
import { right } from '../../right.js'

export const bases: { readonly [D in 'countries' | 'elements']: Base } = { countries: baseOf(countries), elements: baseOf(elements) }

export const drawFrom =
  (seed: number, turn = 0): Draw =>
  (i, n) =>
    integer(fold(key(seed), turn), i, n)

export const environmentOf = (base: Base, settings: Partial<SearchSettings> = {}): Environment<SearchState> =>
  right(searchEnvironment(base, settings))

/** `act` of this task takes no time. */
export const acted = ({ act }: Environment<SearchState>, state: SearchState, response: readonly number[]): SearchState =>
  act(state, response) as SearchState

/** The states of an episode before each turn, and its end. */
export const played = (environment: Environment<SearchState>, split: Split, seed: number): readonly SearchState[] => {
  const states = [environment.problem(split, drawFrom(seed))]
  for (let state = states[0]!; !environment.isOver(state); states.push(state))
    state = acted(environment, state, environment.oracle(state, drawFrom(seed, states.length)))
  return states
}

export interface World {
  readonly base: Base
  readonly environment: Environment<SearchState>
  readonly context: ContextKind
  readonly split: Split
  readonly seed: number
  readonly toString: () => string
}

export const anyContext = fc.constantFrom<ContextKind>('memory', 'full')
export const anyHabits = fc.constantFrom<Habits>(noHabits, badHabits, { forget: 1, wrongDoc: 0.5, wrongRelation: 0.5 })
const anySplit = fc.constantFrom<Split>('train', 'heldOut')

/** A task over one of the domains, with questions of 1 to 8 objectives, and a seed for an episode of it. */
export const anyWorld = (habits: fc.Arbitrary<Habits> = anyHabits): fc.Arbitrary<World> =>
  fc
    .record({
      domain: fc.constantFrom('countries' as const, 'elements' as const),
      context: anyContext,
      objectives: fc.integer({ min: 1, max: 8 }),
      results: fc.integer({ min: 5, max: 8 }),
      split: anySplit,
      seed: fc.nat(),
      habits,
    })
    .map((drawn) => {
      const { domain, context, objectives, results, split, seed } = drawn
      const base = bases[domain]
      const environment = environmentOf(base, { context, objectives: { [objectives]: 1 }, results, habits: drawn.habits })
      return { base, environment, context, split, seed, toString: () => JSON.stringify(drawn) }
    })
