import type { Domain } from './domain.js'
import type { Vocabulary } from './vocabulary.js'

/** `relation` of `entity` is `value`, in ids of the vocabulary. */
export interface Fact {
  readonly relation: number
  readonly entity: number
  readonly value: number
}

/** The facts of a domain, in its order. Every name is a word, so none is −1. */
export const factsIn = ({ facts }: Domain, { id }: Vocabulary): readonly Fact[] =>
  facts.map(({ relation, entity, value }) => ({ relation: id(relation) ?? -1, entity: id(entity) ?? -1, value: id(value) ?? -1 }))

/** There is at most one fact of a relation and an entity. */
export const isSameFact = (x: Fact, y: Fact): boolean => x.relation === y.relation && x.entity === y.entity
