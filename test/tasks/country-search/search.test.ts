import { expect, test } from 'vitest'
import { searchOver } from '../../../tasks/country-search/search.js'
import { bases } from './worlds.js'

test('a search for a relation and an entity finds their fact among the first five', () => {
  for (const { facts, search, vocabulary } of Object.values(bases)) {
    const missed = facts.filter(
      (fact) =>
        !search(fact.relation, fact.entity)
          .slice(0, 5)
          .some((at) => facts[at] === fact),
    )
    expect(missed.map(({ entity, relation }) => vocabulary.decode([relation, entity]))).toEqual([])
  }
})

test('a search for a bridge and the value that tells a subject finds it among the first five', () => {
  for (const { facts, search, objectives, vocabulary } of Object.values(bases)) {
    const bridges = [...objectives.train[2], ...objectives.heldOut[2]].map(({ path }) => path[0]!)
    const missed = bridges.filter(
      (fact) =>
        !search(fact.relation, fact.value)
          .slice(0, 5)
          .some((at) => facts[at] === fact),
    )
    expect(missed.map(({ relation, value }) => vocabulary.decode([relation, value]))).toEqual([])
  }
})

test('what is found again is what was found, and another index finds the same', () => {
  const { domain } = bases.countries
  const [one, other] = [searchOver(domain.facts), searchOver(domain.facts)]
  const found = one('government', 'Guinea')
  expect(one('government', 'Guinea')).toBe(found)
  expect(other('government', 'Guinea')).toEqual(found)
  expect(found.map((at) => domain.facts[at]?.entity)).toContain('Guinea-Bissau')
})
