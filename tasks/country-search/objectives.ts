import type { Split } from '../environment.js'
import { sideOf } from '../split.js'
import type { Domain } from './domain.js'
import type { Fact } from './facts.js'
import type { Vocabulary } from './vocabulary.js'

/** One thing that a question asks, as it is asked, and what the policy is not told: the facts that answer it. */
export interface Objective {
  readonly relation: number
  /** The relation by whose value the subject is named; absent where the subject is named itself. */
  readonly bridge?: number
  /** The subject, or its value in the bridge. */
  readonly name: number
  /** One fact for each hop; the last one's value is the answer. */
  readonly path: readonly Fact[]
}

export type Hops = 1 | 2
/** All that can be asked, by split and hops. */
export type Objectives = Readonly<Record<Split, Readonly<Record<Hops, readonly Objective[]>>>>

export const answerOf = ({ path }: Objective): number => path.at(-1)?.value ?? -1

/** "government of capital Vilnius": the question's words. */
export const asked = ({ relation, bridge, name }: Objective, { word }: Vocabulary): readonly number[] => [
  relation,
  word.of,
  ...(bridge === undefined ? [name] : [bridge, name]),
]

const oneHop = (facts: readonly Fact[]): readonly Objective[] =>
  facts.map((fact) => ({ relation: fact.relation, name: fact.entity, path: [fact] }))

/** The facts that tell their subject: no other subject has this value. */
const unique = (facts: readonly Fact[]): readonly Fact[] => {
  const times = new Map<number, number>()
  for (const { value } of facts) times.set(value, (times.get(value) ?? 0) + 1)
  return facts.filter(({ value }) => times.get(value) === 1)
}

const factsAbout = (facts: readonly Fact[]): ReadonlyMap<number, readonly Fact[]> => {
  const about = new Map<number, Fact[]>()
  for (const fact of facts) about.set(fact.entity, [...(about.get(fact.entity) ?? []), fact])
  return about
}

const twoHops = (facts: readonly Fact[], bridges: readonly number[]): readonly Objective[] => {
  const about = factsAbout(facts)
  return bridges.flatMap((bridge) =>
    unique(facts.filter(({ relation }) => relation === bridge)).flatMap((first) =>
      (about.get(first.entity) ?? [])
        .filter(({ relation }) => relation !== bridge)
        .map((last) => ({ relation: last.relation, bridge, name: first.value, path: [first, last] })),
    ),
  )
}

/** Everything that can be asked of some facts. Its own words decide the side of the split that an objective is on, so no setting moves it. */
export const objectivesIn = ({ bridges }: Domain, vocabulary: Vocabulary, facts: readonly Fact[]): Objectives => {
  const bytes = new TextEncoder()
  const sideOfObjective = (objective: Objective): Split => sideOf(bytes.encode(vocabulary.decode(asked(objective, vocabulary))))
  const bridgeIds = bridges.flatMap((bridge) => vocabulary.id(bridge) ?? [])
  const all = { 1: oneHop(facts), 2: twoHops(facts, bridgeIds) }
  const heldOut = new Set([...all[1], ...all[2]].filter((objective) => sideOfObjective(objective) === 'heldOut'))
  return {
    train: { 1: all[1].filter((o) => !heldOut.has(o)), 2: all[2].filter((o) => !heldOut.has(o)) },
    heldOut: { 1: all[1].filter((o) => heldOut.has(o)), 2: all[2].filter((o) => heldOut.has(o)) },
  }
}
