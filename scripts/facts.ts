// Makes the tables of facts that tasks/country-search asks about, from the packages that NOTICE names. `npm run facts` writes them again.
import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { continents, countries, languages } from 'countries-list'
import { currencies } from 'countries-list/currencies'

const require = createRequire(import.meta.url)

/** One subject a row; a cell may be empty. */
interface Table {
  readonly name: string
  readonly sources: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

type Row = Readonly<Record<string, string | number | null>>

/** Names as they stand in a sentence: single spaces, one after each comma, none at the ends. */
const tidied = (text: string): string => text.replace(/\s+/g, ' ').replace(/ ?, ?/g, ', ').replace(/[ ,]+$/, '').trim() // prettier-ignore

const cell = (value: string | number | null | undefined): string => (value === null || value === undefined ? '' : tidied(String(value)))

// ── Countries: names, capitals, currencies, languages and continents of countries-list, the rest of country-json, joined by ISO code ──

const countryJson = (topic: string): readonly Row[] => require(`country-json/src/country-by-${topic}.json`) as readonly Row[]

/** Codes that country-json spells in a way of its own. */
const standard: Readonly<Record<string, string>> = { UK: 'GB', TP: 'TL' }

const codes: ReadonlyMap<string, string> = new Map([
  ...Object.entries(countries).map(([code, { name }]) => [name, code] as const),
  ...countryJson('abbreviation').map(
    ({ country, abbreviation }) => [String(country), standard[String(abbreviation)] ?? String(abbreviation)] as const,
  ),
])

/** What country-json says of a topic, by ISO code. */
const byCode = (topic: string, field: string): ReadonlyMap<string, string> =>
  new Map(countryJson(topic).map((row) => [codes.get(String(row['country'])) ?? '', cell(row[field])]))

const government = byCode('government-type', 'government')
const religion = byCode('religion', 'religion')
const dish = byCode('national-dish', 'dish')
const region = byCode('region-in-world', 'location')
const tld = byCode('domain-tld', 'tld')

/** The dish of a country that announced none. */
const noDish = 'No officially announced national dish'

const countryTable: Table = {
  name: 'countries',
  sources: 'countries-list and country-json',
  columns: ['country', 'capital', 'currency', 'language', 'continent', 'government', 'religion', 'dish', 'region', 'tld'],
  rows: Object.entries(countries).map(([code, { name, capital, currency, languages: spoken, continent }]) => [
    name,
    cell(capital),
    currency[0] === undefined ? '' : cell(currencies[currency[0]].name),
    spoken[0] === undefined ? '' : cell(languages[spoken[0]].name),
    continents[continent],
    government.get(code) ?? '',
    religion.get(code) ?? '',
    (dish.get(code) ?? '').replace(noDish, ''),
    region.get(code) ?? '',
    tld.get(code) ?? '',
  ]),
}

// ── Elements ──

const elementTable: Table = {
  name: 'elements',
  sources: 'node-periodic-table',
  columns: ['element', 'symbol', 'number', 'category', 'period', 'phase', 'discoverer'],
  rows: (require('node-periodic-table/elements.json') as readonly Row[]).map((row) =>
    ['name', 'symbol', 'number', 'category', 'period', 'phase', 'discovered_by'].map((field) => cell(row[field])),
  ),
}

/** The file of a table: the columns' names, then a row a line. */
export const tableFile = ({ name, sources, columns, rows }: Table): string =>
  [
    `// Made by scripts/facts.ts from the npm packages ${sources} (MIT; see NOTICE). One subject a line.`,
    `export const ${name} = \``,
    ...[columns, ...rows].map((line) => line.join(' | ').trimEnd()),
    '`',
    '',
  ].join('\n')

export const tables: readonly Table[] = [countryTable, elementTable]

export const tablePath = ({ name }: Table): string => fileURLToPath(new URL(`../tasks/country-search/facts/${name}.ts`, import.meta.url))

if (process.argv[1] === fileURLToPath(import.meta.url)) for (const table of tables) writeFileSync(tablePath(table), tableFile(table))
