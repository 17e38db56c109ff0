import fc from 'fast-check'
import { bool, f32, i32, type Value } from '../../../dsl/index.js'
import { anyReward, anyShape, between, numbers, type Shape } from '../batches.js'

/** What the estimators of a token's advantage read. */
export const episodeSpec = {
  rewards: f32('batch', 'time'),
  values: f32('batch', 'time'),
  logProbs: f32('batch', 'time'),
  refLogProbs: f32('batch', 'time'),
  collision: f32('batch', 'time'),
  rolloutWeights: f32('batch', 'time'),
  responseMask: bool('batch', 'time'),
  scores: f32('batch'),
  baselines: f32('batch'),
  group: i32('batch'),
}

type Name = keyof typeof episodeSpec

/** Rows as lists, so that they can be moved about. */
export interface Episodes {
  readonly tokens: Readonly<Record<Exclude<Name, 'scores' | 'baselines' | 'group'>, readonly (readonly number[])[]>>
  readonly rows: Readonly<Record<'scores' | 'baselines' | 'group', readonly number[]>>
}

export const anyEpisodes: fc.Arbitrary<Episodes> = anyShape.chain(({ batch, time }: Shape) => {
  const tokens = (element: fc.Arbitrary<number>) => fc.array(numbers(time, element), { minLength: batch, maxLength: batch })
  return fc.record({
    tokens: fc.record({
      rewards: tokens(anyReward),
      values: tokens(anyReward),
      logProbs: tokens(between(-6, -0.1)),
      refLogProbs: tokens(between(-6, 0)),
      collision: tokens(between(0.9, 1)), // at least the square of the token's own probability
      rolloutWeights: tokens(between(0.2, 2)),
      responseMask: tokens(fc.constantFrom(0, 1)),
    }),
    rows: fc.record({
      scores: numbers(batch, anyReward),
      baselines: numbers(batch, anyReward),
      group: numbers(batch, fc.integer({ min: 0, max: Math.min(1, batch - 1) })),
    }),
  })
})

/** Two groups of two rows of two tokens, no two of them alike. */
export const fourRows: Episodes = {
  tokens: {
    rewards: [
      [1, 0.5],
      [-1, 2],
      [0.25, 3],
      [-2, -1],
    ],
    values: Array.from({ length: 4 }, () => [0.5, 0.25]),
    logProbs: Array.from({ length: 4 }, (_, b) => [-0.5 - b, -1]),
    refLogProbs: Array.from({ length: 4 }, () => [-1, -1]),
    collision: Array.from({ length: 4 }, () => [0.9, 0.95]),
    rolloutWeights: Array.from({ length: 4 }, () => [1, 1]),
    responseMask: Array.from({ length: 4 }, () => [1, 1]),
  },
  rows: { scores: [1, 0, 3, -2], baselines: [0, 1, 0, 1], group: [0, 0, 1, 1] },
}

const tokenValue = (rows: readonly (readonly number[])[]): Value => ({ sizes: [rows.length, rows[0]?.length ?? 0], data: rows.flat() })

const rowValue = (row: readonly number[]): Value => ({ sizes: [row.length], data: row })

const mapped = <K extends string, X, Y>(record: Readonly<Record<K, X>>, f: (x: X, key: K) => Y): Readonly<Record<K, Y>> =>
  Object.fromEntries(Object.entries<X>(record).map(([key, x]) => [key, f(x, key as K)])) as Readonly<Record<K, Y>>

export const valuesOf = ({ tokens, rows }: Episodes): Readonly<Record<Name, Value>> => ({
  ...mapped(tokens, tokenValue),
  ...mapped(rows, rowValue),
})

export const reordered = ({ tokens, rows }: Episodes, order: readonly number[]): Episodes => ({
  tokens: mapped(tokens, (x) => order.map((b) => x[b]!)),
  rows: mapped(rows, (x) => order.map((b) => x[b]!)),
})

/** Every token at the place that is given for it in a longer row; between them the mask is 0 and everything else junk. */
export const spread = (
  { tokens, rows }: Episodes,
  places: readonly (readonly number[])[],
  width: number,
  junk: readonly number[],
): Episodes => ({
  tokens: mapped(tokens, (x, name) =>
    x.map((row, b) =>
      Array.from({ length: width }, (_, t) => row[places[b]!.indexOf(t)] ?? (name === 'responseMask' ? 0 : junk[t % junk.length]!)),
    ),
  ),
  rows,
})

/** Junk outside the mask. */
export const soiled = ({ tokens, rows }: Episodes, junk: readonly number[]): Episodes => ({
  tokens: mapped(tokens, (x, name) =>
    name === 'responseMask' ? x : x.map((row, b) => row.map((e, t) => (tokens.responseMask[b]![t] === 1 ? e : junk[t % junk.length]!))),
  ),
  rows,
})

export const withoutTokens = ({ tokens, rows }: Episodes): Episodes => ({
  tokens: { ...tokens, responseMask: tokens.responseMask.map((row) => row.map(() => 0)) },
  rows,
})

/** The places of a row's response tokens. */
export const responsePlaces = ({ tokens }: Episodes, b: number): readonly number[] =>
  tokens.responseMask[b]!.flatMap((m, t) => (m === 1 ? [t] : []))
