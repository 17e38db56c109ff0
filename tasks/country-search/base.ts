import type { Domain } from './domain.js'
import { type Fact, factsIn } from './facts.js'
import { type Objectives, objectivesIn } from './objectives.js'
import { searchOver } from './search.js'
import { type Vocabulary, vocabularyOf } from './vocabulary.js'

/** All that is made once of a domain: its words, its facts, what can be asked of them, and the index that finds them. */
export interface Base {
  readonly domain: Domain
  readonly vocabulary: Vocabulary
  readonly facts: readonly Fact[]
  readonly objectives: Objectives
  /** The facts that BM25 finds for a relation and a name, best first, as places in `facts`. */
  readonly search: (relation: number, name: number) => readonly number[]
}

/** The base of a domain, in a fraction of a second, most of which is the index. */
export const baseOf = (domain: Domain): Base => {
  const vocabulary = vocabularyOf(domain)
  const facts = factsIn(domain, vocabulary)
  const find = searchOver(domain.facts)
  return {
    domain,
    vocabulary,
    facts,
    objectives: objectivesIn(domain, vocabulary, facts),
    search: (relation, name) => find(vocabulary.decode([relation]), vocabulary.decode([name])),
  }
}
