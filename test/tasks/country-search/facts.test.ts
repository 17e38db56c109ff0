import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { tableFile, tablePath, tables } from '../../../scripts/facts.js'
import { countries, type Domain, elements } from '../../../tasks/country-search/index.js'
import { bases } from './worlds.js'

test('the tables are what the packages give', () => {
  expect(tables.map(({ name }) => name)).toEqual(['countries', 'elements'])
  for (const table of tables) expect(readFileSync(tablePath(table), 'utf8')).toBe(tableFile(table))
})

const countOf = ({ facts }: Domain, relation: string): number => facts.filter((fact) => fact.relation === relation).length

test('252 countries and 119 elements, with as many facts of each relation as the packages have', () => {
  expect(new Set(countries.facts.map(({ entity }) => entity)).size).toBe(252)
  expect(new Set(elements.facts.map(({ entity }) => entity)).size).toBe(119)
  expect(countries.relations.map((relation) => [relation, countOf(countries, relation)])).toEqual([
    ['capital', 247],
    ['currency', 251],
    ['language', 251],
    ['continent', 252],
    ['government', 235],
    ['religion', 219],
    ['dish', 140],
    ['region', 235],
  ])
  expect(elements.relations.map((relation) => [relation, countOf(elements, relation)])).toEqual([
    ['symbol', 119],
    ['number', 119],
    ['category', 119],
    ['period', 119],
    ['phase', 119],
    ['discoverer', 118],
  ])
})

test('a relation of an entity has one value, and no name is empty or untidy', () => {
  for (const { facts } of [countries, elements]) {
    expect(new Set(facts.map(({ entity, relation }) => `${relation} of ${entity}`)).size).toBe(facts.length)
    for (const { entity, value } of facts)
      for (const name of [entity, value]) expect(name).toMatch(/^[^\s,;<>|][^;<>|]*[^\s,;<>|]$|^[^\s,;<>|]$/)
  }
})

test('some facts that anybody can check', () => {
  const value = (domain: Domain, relation: string, entity: string) =>
    domain.facts.find((fact) => fact.relation === relation && fact.entity === entity)?.value
  expect(value(countries, 'capital', 'Lithuania')).toBe('Vilnius')
  expect(value(countries, 'currency', 'Oman')).toBe('Omani Rial')
  expect(value(countries, 'region', 'United Kingdom')).toBe('British Isles')
  expect(value(elements, 'number', 'Iron')).toBe('26')
})

test('every name, relation and plain word is one word of its own', () => {
  for (const { vocabulary, domain } of Object.values(bases)) {
    expect(new Set(vocabulary.vocabulary).size).toBe(vocabulary.vocabulary.length)
    const plain = new Set([...Object.values(vocabulary.word), ...Object.values(vocabulary.open), ...Object.values(vocabulary.close)])
    expect([...vocabulary.names].filter((id) => plain.has(id) || vocabulary.relations.has(id))).toEqual([])
    expect(
      domain.relations.map((relation) => vocabulary.id(relation)).every((id) => id !== undefined && vocabulary.relations.has(id)),
    ).toBe(true)
  }
  expect(bases.countries.vocabulary.vocabulary).toHaveLength(974)
})
