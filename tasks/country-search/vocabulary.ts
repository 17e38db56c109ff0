import { type Words, wordsOf } from '../words.js'
import type { Domain } from './domain.js'

/** What a span of a context or a response is for; a tag opens it and another closes it. */
export const spans = ['q', 'mem', 'think', 'search', 'info', 'answer'] as const
export type SpanName = (typeof spans)[number]

const plain = ['left', 'done', 'none', 'is', 'via', 'of', ';'] as const
type Plain = (typeof plain)[number]

/** A question has no more objectives. */
export const maxObjectives = 8
/** Objectives and turns are counted from 1 up to here: two hops for each objective, an answer, and two turns to spare. */
export const maxCount = 2 * maxObjectives + 3

/** The words of a domain, and those that every domain has by what they mean. */
export interface Vocabulary extends Words {
  readonly padId: number
  readonly open: Readonly<Record<SpanName, number>>
  readonly close: Readonly<Record<SpanName, number>>
  readonly word: Readonly<Record<Plain, number>>
  /** The id of a whole number from 1 to `maxCount`. */
  readonly count: (n: number) => number
  readonly relations: ReadonlySet<number>
  /** Every entity and every value. */
  readonly names: ReadonlySet<number>
  /** Whether an id is a word that may stand inside a span: no tag, no padding, nothing outside the vocabulary. */
  readonly isInside: (id: number) => boolean
}

const record = <K extends string, V>(keys: readonly K[], value: (key: K) => V): Readonly<Record<K, V>> =>
  Object.fromEntries(keys.map((key) => [key, value(key)])) as Record<K, V>

const opening = (span: SpanName): string => `<${span}>`
const closing = (span: SpanName): string => `</${span}>`

const tags: readonly string[] = [...spans.flatMap((span) => [opening(span), closing(span)]), '<pad>']
const counts: readonly string[] = Array.from({ length: maxCount }, (_, n) => String(n + 1))

/** Tags, plain words, numbers, relations and names, each once, in the order in which the domain gives them. */
export const vocabularyOf = ({ relations, facts }: Domain): Vocabulary => {
  const names = facts.flatMap(({ entity, value }) => [entity, value])
  const words = wordsOf([...new Set([...tags, ...plain, ...counts, ...relations, ...names])])
  const idOf = (word: string): number => words.id(word) ?? -1
  return {
    ...words,
    padId: idOf('<pad>'),
    open: record(spans, (span) => idOf(opening(span))),
    close: record(spans, (span) => idOf(closing(span))),
    word: record(plain, idOf),
    count: (n) => idOf(String(n)),
    relations: new Set(relations.map(idOf)),
    names: new Set(names.map(idOf)),
    isInside: (id) => Number.isInteger(id) && id >= tags.length && id < words.vocabulary.length,
  }
}
