import { chunksOf } from 'fp-ts/lib/ReadonlyArray.js'
import { type Key, random } from '../../dsl/index.js'
import { evenly } from '../evenly.js'
import { groupedBy } from '../metrics/statistics.js'
import { type Inputs, isOfPairs } from './fields.js'
import type { Row, StepRows } from './rows.js'

/** Rows that stay together when a step's rows are shuffled. */
type Unit = readonly Row[]

const extreme = (rows: Unit, better: (x: number, y: number) => boolean): Row | undefined =>
  rows.reduce<Row | undefined>((best, row) => (best === undefined || better(row.reward, best.reward) ? row : best), undefined)

/** The best and the worst answer to each problem; none where all earned the same. */
export const pairsOf = (rows: readonly Row[]): readonly Unit[] =>
  groupedBy(rows, ({ group }) => group).flatMap((unit) => {
    const [best, worst] = [extreme(unit, (x, y) => x > y), extreme(unit, (x, y) => x < y)]
    return best === undefined || worst === undefined || best.reward === worst.reward ? [] : [[best, worst]]
  })

/** What is shuffled: pairs; groups, where a loss compares the rows of one; else trajectories. */
const unitsOf = (inputs: Inputs, rows: readonly Row[]): readonly Unit[] =>
  isOfPairs(inputs)
    ? pairsOf(rows)
    : 'group' in inputs
      ? groupedBy(rows, ({ group }) => group)
      : groupedBy(rows, ({ trajectory }) => trajectory)

const stepRows = (inputs: Inputs, units: readonly Unit[]): StepRows =>
  isOfPairs(inputs)
    ? { chosen: units.flatMap(([best]) => best ?? []), rejected: units.flatMap(([, worst]) => worst ?? []) }
    : { rows: units.flat() }

export interface RoundSettings {
  readonly epochs: number
  readonly miniBatches: number
  readonly microRows?: number
}

const microParts = (whole: StepRows, most: number): readonly StepRows[] => {
  if ('rows' in whole) return chunksOf(most)(whole.rows).map((rows) => ({ rows }))
  const rejected = chunksOf(most)(whole.rejected)
  return chunksOf(most)(whole.chosen).map((chosen, i) => ({ chosen, rejected: rejected[i] ?? [] }))
}

/** One update: the rows that it is made from, and the parts in which they are run. */
export interface Round {
  readonly whole: StepRows
  readonly parts: readonly StepRows[]
}

/** The updates of a step: each epoch goes through all rows in its own order. */
export const roundsOf = (
  inputs: Inputs,
  rows: readonly Row[],
  { epochs, miniBatches, microRows }: RoundSettings,
  key: Key,
): readonly Round[] => {
  const units = unitsOf(inputs, rows)
  return Array.from({ length: epochs }, (_, epoch) => random.permutation(random.fold(key, epoch), units.length)).flatMap((order) =>
    evenly(
      order.map((at) => units[at] ?? []),
      miniBatches,
    ).map((batch) => {
      const whole = stepRows(inputs, batch)
      return { whole, parts: microRows === undefined ? [whole] : microParts(whole, microRows) }
    }),
  )
}

/** The most sequences of one trajectory. */
export const mostSequences = (rows: readonly Row[]): number =>
  Math.max(0, ...groupedBy(rows, ({ trajectory }) => trajectory).map(({ length }) => length))
