import { countries as countryTable } from './facts/countries.js'
import { elements as elementTable } from './facts/elements.js'

/** `relation` of `entity` is `value`. */
export interface NamedFact {
  readonly relation: string
  readonly entity: string
  readonly value: string
}

/** What can be asked about: data, and nothing else of a domain is known to the task. */
export interface Domain {
  readonly name: string
  readonly relations: readonly string[]
  /** Relations by whose value a question may name its subject ("of capital Vilnius"), where no other subject has that value. */
  readonly bridges: readonly string[]
  /** At most one for each entity and relation. */
  readonly facts: readonly NamedFact[]
}

const cells = (line: string): readonly string[] => line.split('|').map((cell) => cell.trim())

/** The facts of a table with a subject a line and a relation a column, of the relations asked for; an empty cell is none. */
const factsOf = (table: string, relations: readonly string[]): readonly NamedFact[] => {
  const [columns = [], ...rows] = table.trim().split('\n').map(cells)
  return rows.flatMap(([entity = '', ...values]) =>
    columns.slice(1).flatMap((relation, column) => {
      const value = values[column] ?? ''
      return value !== '' && relations.includes(relation) ? [{ relation, entity, value }] : []
    }),
  )
}

const domain = (name: string, table: string, relations: readonly string[], bridges: readonly string[]): Domain => ({
  name,
  relations,
  bridges,
  facts: factsOf(table, relations),
})

// The table's tld is left out: a fifth of all words would be names of domains.
const ofCountries = ['capital', 'currency', 'language', 'continent', 'government', 'religion', 'dish', 'region']
const ofElements = ['symbol', 'number', 'category', 'period', 'phase', 'discoverer']

/** 252 countries. Source: the npm packages countries-list and country-json. */
export const countries: Domain = domain('countries', countryTable, ofCountries, ['capital', 'dish'])

/** 119 chemical elements. Source: the npm package node-periodic-table. */
export const elements: Domain = domain('elements', elementTable, ofElements, ['symbol', 'number'])
