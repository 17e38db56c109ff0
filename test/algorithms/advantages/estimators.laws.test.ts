import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defineLoss, lossProgram, sum, type Value } from '../../../dsl/index.js'
import { gradientFlow } from '../../../verify/index.js'
import { law } from '../../law.js'
import { allClose, allZero, anyJunk, close, reader } from '../batches.js'
import {
  anyEpisodes,
  type Episodes,
  episodeSpec,
  fourRows,
  reordered,
  responsePlaces,
  soiled,
  spread,
  valuesOf,
  withoutTokens,
} from './episodes.js'
import { type Estimator, estimators } from './estimators.js'

const few = { runs: 40 }

const rowsOf = ({ rows }: Episodes): readonly number[] => [...rows.scores.keys()]

const anyOrder = (episodes: Episodes): fc.Arbitrary<readonly number[]> =>
  fc.shuffledSubarray([...rowsOf(episodes)], { minLength: rowsOf(episodes).length })

const withOrder = anyEpisodes.chain((episodes) => fc.record({ episodes: fc.constant(episodes), order: anyOrder(episodes) }))

/** A row of what an estimator made. */
const rowAt = ({ sizes, data }: Value, b: number): readonly number[] => [...data].slice(b * sizes[1]!, (b + 1) * sizes[1]!)

const sameRow = (x: readonly number[], y: readonly number[]): boolean => x.every((e, i) => close(e, y[i]!))

/** Whether the rows of `order`, taken alone, have what they have among the others. */
const sameAlone = (of: (episodes: Episodes) => Value, episodes: Episodes, order: readonly number[]): boolean => {
  const [whole, part] = [of(episodes), of(reordered(episodes, order))]
  return order.every((b, i) => sameRow(rowAt(part, i), rowAt(whole, b)))
}

/** The rows that may be taken alone. */
const parts: { readonly [A in 'row' | 'group']: (episodes: Episodes) => readonly (readonly number[])[] } = {
  row: (episodes) => rowsOf(episodes).map((b) => [b]),
  group: (episodes) => [0, 1].map((g) => rowsOf(episodes).filter((b) => episodes.rows.group[b] === g)).filter((rows) => rows.length > 0),
}

/** For each row, where its tokens go in one that is twice as wide. */
const anyPlaces = ({ tokens }: Episodes): fc.Arbitrary<readonly (readonly number[])[]> =>
  fc.tuple(...tokens.rewards.map((row) => fc.subarray([...Array(2 * row.length).keys()], { minLength: row.length, maxLength: row.length })))

const withPlaces = anyEpisodes.chain((episodes) => fc.record({ episodes: fc.constant(episodes), places: anyPlaces(episodes) }))

const sameSpread = (
  of: (episodes: Episodes) => Value,
  episodes: Episodes,
  places: readonly (readonly number[])[],
  junk: readonly number[] = [0],
): boolean => {
  const [narrow, wide] = [of(episodes), of(spread(episodes, places, 2 * places[0]!.length, junk))]
  return rowsOf(episodes).every((b) =>
    responsePlaces(episodes, b).every((t) => close(rowAt(wide, b)[places[b]![t]!]!, rowAt(narrow, b)[t]!)),
  )
}

describe.each(Object.entries(estimators))('%s', (name, { advantages, alone, skipsTools }: Estimator) => {
  const read = reader(episodeSpec, (given) => ({ advantages: advantages(given) }))
  const of = (episodes: Episodes): Value => read(valuesOf(episodes)).advantages

  law(
    'of a batch in shuffled order is shuffled alike',
    fc.property(withOrder, ({ episodes, order }) => sameAlone(of, episodes, order)),
    few,
  )

  if (alone === 'batch') test('of a part of a batch is another', () => expect(sameAlone(of, fourRows, [0, 1])).toBe(false))
  else
    law(
      `of a ${alone} alone is the same`,
      fc.property(anyEpisodes, (episodes) => parts[alone](episodes).every((rows) => sameAlone(of, episodes, rows))),
      few,
    )

  law(
    'does not change with what stands outside the mask',
    fc.property(anyEpisodes, anyJunk, (episodes, junk) => allClose(of(episodes), of(soiled(episodes, junk)))),
    few,
  )

  if (skipsTools)
    law(
      'does not change if tools write between the tokens',
      fc.property(withPlaces, anyJunk, ({ episodes, places }, junk) => sameSpread(of, episodes, places, junk)),
      few,
    )
  else
    test('changes if tools write between some tokens', () => {
      const places = fourRows.tokens.rewards.map((_, b) => (b % 2 === 0 ? [0, 1] : [0, 2]))
      expect(sameSpread(of, fourRows, places)).toBe(false)
    })

  law(
    'is 0 in a batch without response tokens',
    fc.property(anyEpisodes, (episodes) => allZero(of(withoutTokens(episodes)))),
    few,
  )

  test('is data', () => {
    const loss = defineLoss({ name, inputs: episodeSpec, loss: (given) => pipe(advantages(given), sum('batch', 'time')) })
    expect(gradientFlow(lossProgram(loss)).filter(({ tag }) => tag === 'gradient')).toEqual([])
  })
})
