import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { z } from 'zod'
import type { SafetensorsError } from './error.js'

/** What the header says of one tensor. */
export interface Entry {
  readonly name: string
  readonly dtype: string
  readonly shape: readonly number[]
  /** Bytes of the data. */
  readonly from: number
  readonly to: number
}

export interface Header {
  readonly metadata: Readonly<Record<string, string>>
  readonly entries: readonly Entry[]
}

const whole = z.int().nonnegative()
const described = z.strictObject({ dtype: z.string(), shape: z.array(whole), data_offsets: z.tuple([whole, whole]) })
const noted = z.record(z.string(), z.string())

/** The most bytes of a header, as the format's own reader has it. */
export const longestHeader = 100_000_000

/** A key that one object of the JSON has twice. `JSON.parse` keeps the last of them without a word. */
const duplicateKey = (json: string): string | undefined => {
  const open: Set<string>[] = []
  for (const [token, text, colon] of json.matchAll(/("[^"\\]*(?:\\.[^"\\]*)*")\s*(:)?|[{}]/g)) {
    if (token === '{') open.push(new Set())
    else if (token === '}') open.pop()
    else if (text !== undefined && colon !== undefined) {
      const [keys, key] = [open.at(-1), JSON.parse(text) as string]
      if (keys?.has(key) === true) return key
      keys?.add(key)
    }
  }
  return undefined
}

const parsed = (text: string): E.Either<SafetensorsError, unknown> =>
  pipe(
    E.tryCatch(
      () => ({ json: JSON.parse(text) as unknown, twice: duplicateKey(text) }),
      (because): SafetensorsError => ({ tag: 'notJson', because: String(because) }),
    ),
    E.chain(({ json, twice }) => (twice === undefined ? E.right(json) : E.left({ tag: 'duplicateKey', key: twice }))),
  )

const valid = <A>(schema: z.ZodType<A>, path: string, json: unknown): E.Either<SafetensorsError, A> => {
  const { success, data, error } = schema.safeParse(json)
  if (success) return E.right(data)
  const [issue] = error.issues
  return E.left({ tag: 'wrongField', path: [path, ...(issue?.path ?? [])].join('.'), because: issue?.message ?? 'it is wrong' })
}

const entry = ([name, json]: readonly [string, unknown]): E.Either<SafetensorsError, Entry> =>
  pipe(
    valid(described, name, json),
    E.map(({ dtype, shape, data_offsets: [from, to] }) => ({ name, dtype, shape, from, to })),
  )

const isRecord = (json: unknown): json is Readonly<Record<string, unknown>> =>
  typeof json === 'object' && json !== null && !Array.isArray(json)

/** A header from its JSON. */
export const parseHeader = (text: string): E.Either<SafetensorsError, Header> =>
  pipe(
    parsed(text),
    E.filterOrElse(isRecord, (): SafetensorsError => ({ tag: 'wrongField', path: '', because: 'the header is no object' })),
    E.bindTo('json'),
    E.bind('metadata', ({ json }) => valid(noted, '__metadata__', json['__metadata__'] ?? {})),
    E.bind('entries', ({ json }) =>
      pipe(
        Object.entries(json).filter(([name]) => name !== '__metadata__'),
        E.traverseArray(entry),
      ),
    ),
    E.map(({ metadata, entries }) => ({ metadata, entries })),
  )
