import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Sides, Tiling } from '../../compiler/index.js'
import type { DeviceClass } from './schedules.js'

/** What a tiling is measured by: a product whose rows are open, so that its tiles have an edge, or one of known sizes, whose tiles are whole. */
export type Sample = 'edged' | 'whole'

/** How many seconds a sample takes by a tiling. */
export type Measure<Err> = (tiling: Tiling, sample: Sample) => TE.TaskEither<Err, number>

/** A tiling that was tried, and what it took. */
export interface Trial {
  readonly tiling: Tiling
  readonly sample: Sample
  readonly seconds: number
}

/** The tiling that took least, and all that were tried. */
export interface Tuned {
  readonly tiling: Tiling
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

const tryAll = <Err>(measure: Measure<Err>, sample: Sample, tried: readonly Tiling[]): TE.TaskEither<Err, Tuned> =>
  pipe(
    tried,
    TE.traverseSeqArray((tiling) =>
      pipe(
        measure(tiling, sample),
        TE.map((seconds): Trial => ({ tiling, sample, seconds })),
      ),
    ),
    TE.map((trials) => ({ trials, tiling: trials.reduce((best, trial) => (trial.seconds < best.seconds ? trial : best)).tiling })),
  )

/** The best of a few tilings for a class of devices, as they are measured: first the tile, then the tile where there is no edge. */
export const tune = <Err>(deviceClass: DeviceClass, measure: Measure<Err>): TE.TaskEither<Err, Tuned> =>
  pipe(
    tryAll(measure, 'edged', tilings[deviceClass]),
    TE.flatMap(({ tiling, trials }) =>
      pipe(
        tryAll(measure, 'whole', [tiling, ...wholes[deviceClass].map((whole): Tiling => ({ ...tiling, whole }))]),
        TE.map((second) => ({ tiling: second.tiling, trials: [...trials, ...second.trials] })),
      ),
    ),
  )
