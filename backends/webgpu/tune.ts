import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Sides, Tiling } from '../../compiler/index.js'
import type { DeviceClass, Schedule } from './schedules.js'

/**
 * What a schedule is measured by: a product whose rows are open, so that its tiles have an edge; one of known sizes, whose tiles are whole; and a
 * softmax of long rows.
 */
export type Sample = 'edged' | 'whole' | 'rows'

/** What of a schedule is measured. */
export type Tried = Pick<Schedule, 'tiling' | 'rowLanes'>

/** How many seconds a sample takes by a schedule. */
export type Measure<Err> = (tried: Tried, sample: Sample) => TE.TaskEither<Err, number>

/** What was tried, and what it took. */
export interface Trial {
  readonly tried: Tried
  readonly sample: Sample
  readonly seconds: number
}

/** What took least, and all that was tried. */
export interface Tuned {
  readonly best: Tried
  readonly trials: readonly Trial[]
}

const sides = (outer: number, inner: number): Sides => ({ outer, inner })

/** The tiles that are tried; what a workgroup shares stays within 16 KiB. */
const tilings: { readonly [C in DeviceClass]: readonly Tiling[] } = {
  software: [sides(4, 4), sides(8, 4), sides(4, 8), sides(8, 8)].map((tile) => ({ tile })),
  hardware: [
    { tile: sides(4, 4), shares: { lanes: 16, depth: 16 } },
    { tile: sides(8, 8), shares: { lanes: 16, depth: 16 } },
    { tile: sides(4, 4), shares: { lanes: 8, depth: 16 } },
    { tile: sides(8, 8), shares: { lanes: 8, depth: 8 } },
    { tile: sides(4, 4) },
  ],
}

/** The tiles without an edge that are tried beside the others. */
const wholes: { readonly [C in DeviceClass]: readonly Sides[] } = { software: [sides(8, 8), sides(4, 16)], hardware: [sides(8, 8)] }

/** How many invocations share a row. */
const lanes: { readonly [C in DeviceClass]: readonly number[] } = { software: [64], hardware: [32, 64, 128, 256] }

/** The best of what is tried with a sample, after what was tried before. */
const trying =
  <Err>(measure: Measure<Err>, sample: Sample, candidates: (best: Tried) => readonly Tried[]) =>
  ({ best, trials: before }: Tuned): TE.TaskEither<Err, Tuned> =>
    pipe(
      candidates(best),
      TE.traverseSeqArray((tried) =>
        pipe(
          measure(tried, sample),
          TE.map((seconds): Trial => ({ tried, sample, seconds })),
        ),
      ),
      TE.map((trials) => ({
        trials: [...before, ...trials],
        best: trials.reduce((least, trial) => (trial.seconds < least.seconds ? trial : least)).tried,
      })),
    )

/** The best of a few schedules for a class of devices, as they are measured: first the tile, then the tile where there is no edge, then rows. */
export const tune = <Err>(deviceClass: DeviceClass, measure: Measure<Err>): TE.TaskEither<Err, Tuned> => {
  const [first] = tilings[deviceClass]
  const begin: Tuned = { best: { tiling: first! }, trials: [] }
  return pipe(
    begin,
    trying(measure, 'edged', () => tilings[deviceClass].map((tiling): Tried => ({ tiling }))),
    TE.flatMap(
      trying(measure, 'whole', ({ tiling }) => [
        { tiling },
        ...wholes[deviceClass].map((whole): Tried => ({ tiling: { ...tiling, whole } })),
      ]),
    ),
    TE.flatMap(
      trying(measure, 'rows', ({ tiling }) => [{ tiling }, ...lanes[deviceClass].map((rowLanes): Tried => ({ tiling, rowLanes }))]),
    ),
  )
}
