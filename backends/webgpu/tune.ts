import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Sides } from '../../compiler/index.js'
import type { DeviceClass, Schedule } from './schedules.js'

/** What a schedule is measured by: a product whose rows are open, so that its tiles have an edge, or one of known sizes, whose tiles are whole. */
export type Sample = 'edged' | 'whole'

/** How many seconds a schedule takes for a sample. */
export type Measure<Err> = (schedule: Schedule, sample: Sample) => TE.TaskEither<Err, number>

/** A schedule that was tried, and what it took. */
export interface Trial {
  readonly schedule: Schedule
  readonly sample: Sample
  readonly seconds: number
}

/** The schedule that took least, and all that were tried. */
export interface Tuned {
  readonly schedule: Schedule
  readonly trials: readonly Trial[]
}

const sides = (outer: number, inner: number): Sides => ({ outer, inner })

/** The tiles that are tried; what a workgroup shares stays within 16 KiB. */
const tilings: { readonly [C in DeviceClass]: readonly Schedule[] } = {
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

const tryAll = <Err>(measure: Measure<Err>, sample: Sample, schedules: readonly Schedule[]): TE.TaskEither<Err, Tuned> =>
  pipe(
    schedules,
    TE.traverseSeqArray((schedule) =>
      pipe(
        measure(schedule, sample),
        TE.map((seconds): Trial => ({ schedule, sample, seconds })),
      ),
    ),
    TE.map((trials) => ({ trials, schedule: trials.reduce((best, trial) => (trial.seconds < best.seconds ? trial : best)).schedule })),
  )

/** The best of a few schedules for a class of devices, as they are measured: first the tile, then the tile where there is no edge. */
export const tune = <Err>(deviceClass: DeviceClass, measure: Measure<Err>): TE.TaskEither<Err, Tuned> =>
  pipe(
    tryAll(measure, 'edged', tilings[deviceClass]),
    TE.flatMap(({ schedule, trials }) =>
      pipe(
        tryAll(measure, 'whole', [schedule, ...wholes[deviceClass].map((whole): Schedule => ({ ...schedule, whole }))]),
        TE.map((second) => ({ schedule: second.schedule, trials: [...trials, ...second.trials] })),
      ),
    ),
  )
