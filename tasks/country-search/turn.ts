import type { ContextKind } from './settings.js'
import type { SpanName, Vocabulary } from './vocabulary.js'

/** What a turn ends with. */
export type Action =
  | { readonly tag: 'search'; readonly relation: number; readonly name: number }
  | { readonly tag: 'answer'; readonly values: readonly number[] }

/** A well-formed response, read. */
export interface Said {
  /** What stands inside the memory's tags; of a policy that keeps none, nothing. */
  readonly memory: readonly number[]
  readonly think: readonly number[]
  readonly action: Action
}

interface Span {
  readonly name: SpanName
  readonly inside: readonly number[]
}

/** The spans that a policy writes, in their order; the last of them is one of the two. */
const written: { readonly [C in ContextKind]: readonly SpanName[] } = { memory: ['mem', 'think'], full: ['think'] }

/** The span that begins at a place and where it ends; undefined where it is not opened, holds a tag, or is not closed. */
const spanAt = (vocabulary: Vocabulary, tokens: readonly number[], at: number, name: SpanName): readonly [Span, number] | undefined => {
  if (tokens[at] !== vocabulary.open[name]) return undefined
  let end = at + 1
  while (end < tokens.length && vocabulary.isInside(tokens[end]!)) end++
  return tokens[end] === vocabulary.close[name] ? [{ name, inside: tokens.slice(at + 1, end) }, end + 1] : undefined
}

/** The query `relation name`. */
const searchIn = ({ relations, names }: Vocabulary, inside: readonly number[]): Action | undefined => {
  const [relation, name] = inside
  if (inside.length !== 2 || relation === undefined || name === undefined) return undefined
  return relations.has(relation) && names.has(name) ? { tag: 'search', relation, name } : undefined
}

/** The values of `value ; value ; …`, of which there is at least one. */
const answerIn = ({ word }: Vocabulary, inside: readonly number[]): Action | undefined => {
  const values = inside.filter((_, i) => i % 2 === 0)
  const isSeparated = inside.every((id, i) => (id === word[';']) === (i % 2 === 1))
  return inside.length >= 2 && inside.length % 2 === 0 && isSeparated ? { tag: 'answer', values } : undefined
}

/**
 * A response read as a turn: `<mem>…</mem> <think>…</think>` (without the memory where the context is full), then
 * `<search> relation name </search>` or `<answer> value ; … </answer>`, and nothing after. Undefined of any other.
 */
export const read =
  (vocabulary: Vocabulary, context: ContextKind) =>
  (response: readonly number[]): Said | undefined => {
    const before: Span[] = []
    let at = 0
    for (const name of written[context]) {
      const next = spanAt(vocabulary, response, at, name)
      if (next === undefined) return undefined
      before.push(next[0])
      at = next[1]
    }
    const last = spanAt(vocabulary, response, at, 'search') ?? spanAt(vocabulary, response, at, 'answer')
    if (last?.[1] !== response.length) return undefined
    const action = (last[0].name === 'search' ? searchIn : answerIn)(vocabulary, last[0].inside)
    const inside = (name: SpanName) => before.find((span) => span.name === name)?.inside ?? []
    return action && { memory: inside('mem'), think: inside('think'), action }
  }

/** What each span of a response is for. */
export type Kind = 'memory' | 'think' | 'search' | 'answer' | 'other'

const kindOf: { readonly [S in SpanName]: Kind } = {
  q: 'other',
  mem: 'memory',
  think: 'think',
  search: 'search',
  info: 'other',
  answer: 'answer',
}

/** The kind of each token of a response, well-formed or not: a span's tags are of its kind, and it lasts until it is closed or another opens. */
export const kindsOf = ({ open, close }: Vocabulary): ((response: readonly number[]) => readonly Kind[]) => {
  const names = Object.keys(open) as SpanName[]
  const opened = new Map(names.map((name) => [open[name], kindOf[name]]))
  const closed = new Set(names.map((name) => close[name]))
  return (response) => {
    let current: Kind = 'other'
    return response.map((id) => {
      current = opened.get(id) ?? current
      const kind = current
      if (closed.has(id)) current = 'other'
      return kind
    })
  }
}
