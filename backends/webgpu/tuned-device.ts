import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Plan, plan, type Tiling } from '../../compiler/index.js'
import { contract, f32, program, type Size, sizeOf, type Value } from '../../dsl/index.js'
import type { RunError } from '../backend.js'
import type { AcquireError } from './acquire-error.js'
import { acquire, type Acquired, type AcquireSettings, type Kind, usualSettings } from './acquire.js'
import type { Gpu } from './gpu.js'
import { noClock } from './loaded.js'
import { makeRunner } from './running.js'
import { gpuOf } from './runtime.js'
import type { DeviceClass } from './schedules.js'
import { canStamp } from './stamps.js'
import { type Measure, type Sample, tune, type Tuned } from './tune.js'

/** What was found for a device: for which it is, and for no other. */
export interface TunedDevice extends Tuned {
  readonly deviceClass: DeviceClass
  readonly adapter: string
}

export type TuneError =
  { readonly tag: 'notAcquired'; readonly error: AcquireError } | { readonly tag: 'notMeasured'; readonly error: RunError }

const n = 512

/** Rows that no tile divides. */
const rows: { readonly [S in Sample]: number } = { edged: n - 13, whole: n }

const productOf = (row: number | Size): Plan =>
  pipe(
    plan(
      program({
        inputs: { x: f32({ row, k: n }), y: f32({ k: n, column: n }) },
        body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
      }),
    ),
    E.getOrElse((): Plan => {
      throw new Error('a product has a plan')
    }),
  )

const plans: { readonly [S in Sample]: Plan } = { edged: productOf(sizeOf('row')), whole: productOf(n) }

const matrix = (height: number): Value => ({
  sizes: [height, n],
  data: Float32Array.from({ length: height * n }, (_, i) => Math.sin(i + 1)),
})

/** The first is not counted: a driver may compile only then. */
const rounds = 5

const measureOn =
  (gpu: Gpu): Measure<RunError> =>
  (tiling: Tiling, sample: Sample) =>
    pipe(
      makeRunner({ ...gpu, schedule: { ...gpu.schedule, tiling } }, plans[sample]),
      TE.flatMap((run) => async (): Promise<E.Either<RunError, number>> => {
        const inputs = { x: matrix(rows[sample]), y: matrix(n) }
        const times: number[] = []
        for (let round = 0; round < rounds; round++) {
          const ran = await run({ inputs, state: {}, isTimed: true })
          if (E.isLeft(ran)) return E.left(ran.left[0])
          if (round > 0) times.push(ran.right.spans.reduce((sum, { seconds }) => sum + seconds, 0))
        }
        return E.right(Math.min(...times))
      }),
    )

const tuneAcquired = (acquired: Acquired): TE.TaskEither<RunError, TunedDevice> => {
  const gpu = gpuOf(acquired)
  const deviceClass = acquired.isHardware ? 'hardware' : 'software'
  return pipe(
    canStamp(gpu) ? tune(deviceClass, measureOn(gpu)) : TE.left(noClock(gpu)),
    TE.map((tuned) => ({ ...tuned, deviceClass, adapter: acquired.adapterName })),
  )
}

/** Measure tilings on a device of the kind, by its own clock. */
export const tuneWebGpu = (kind: Kind, settings: AcquireSettings = usualSettings()): TE.TaskEither<TuneError, TunedDevice> =>
  pipe(
    acquire(kind, settings),
    TE.mapLeft((error): TuneError => ({ tag: 'notAcquired', error })),
    TE.flatMap(
      (acquired) => () =>
        pipe(
          tuneAcquired(acquired),
          TE.mapLeft((error): TuneError => ({ tag: 'notMeasured', error })),
        )().finally(() => acquired.release()),
    ),
  )
