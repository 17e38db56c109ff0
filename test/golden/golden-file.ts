import { readFileSync } from 'node:fs'

/** Nested arrays of numbers, row-major. */
export type Nested = number | readonly Nested[]

/** What a function returned, by name: nested arrays, and records of them such as `metrics`. */
export interface Results {
  readonly [name: string]: Nested | Results
}

/** A call of a peer's function, `P` being its settings. */
export interface GoldenCase<P = unknown> {
  readonly inputs: Readonly<Record<string, Nested>>
  readonly params: P
  readonly outputs: Results
}

export interface GoldenFile<P = unknown> {
  readonly name: string
  readonly source: string
  readonly cases: readonly GoldenCase<P>[]
}

const nonFinite: Readonly<Record<string, number>> = { Infinity, '-Infinity': -Infinity, NaN }

/** JSON has no ±∞ and NaN: the files spell them as strings. In an array a bool is 0 or 1, as in the library's values. */
const revive = (_key: string, value: unknown): unknown =>
  typeof value === 'string'
    ? (nonFinite[value] ?? value)
    : Array.isArray(value)
      ? value.map((x: unknown) => (typeof x === 'boolean' ? Number(x) : x))
      : value

/** A file of a folder: of this one, if none is said. */
export const readGolden = <P>(name: string, folder = new URL('.', import.meta.url)): GoldenFile<P> =>
  JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8'), revive) as GoldenFile<P>
