import MiniSearch from 'minisearch'
import type { NamedFact } from './domain.js'

/** The places in the list of facts that BM25 finds for a relation and a name, best first. */
export type Search = (relation: string, name: string) => readonly number[]

/** More are never shown. */
export const maxResults = 8

/** An index over sentences "relation of entity is value". What was once looked for is remembered: a well-formed query is one of few thousand. */
export const searchOver = (facts: readonly NamedFact[]): Search => {
  const index = new MiniSearch<{ readonly id: number; readonly text: string }>({ fields: ['text'] })
  index.addAll(facts.map(({ relation, entity, value }, id) => ({ id, text: `${relation} of ${entity} is ${value}` })))
  const remembered = new Map<string, readonly number[]>()
  return (relation, name) => {
    const query = `${relation} ${name}`
    const known = remembered.get(query)
    if (known !== undefined) return known
    const found = index.search(query).slice(0, maxResults).map(({ id }) => id as number) // prettier-ignore
    remembered.set(query, found)
    return found
  }
}
