import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Plan, plan } from '../../compiler/index.js'
import { contract, f32, program, type Program, type Size, sizeOf, softmax, type Value } from '../../dsl/index.js'
import type { RunError } from '../backend.js'
import type { AcquireError } from './acquire-error.js'
import { acquire, type Acquired, type AcquireSettings, type Kind, usualSettings } from './acquire.js'
import type { Gpu } from './gpu.js'
import { noClock } from './loaded.js'
import { makeRunner } from './running.js'
import { gpuOf } from './runtime.js'
import type { DeviceClass } from './schedules.js'
import { canStamp } from './stamps.js'
import { type Measure, type Sample, tune, type Tried, type Tuned } from './tune.js'

/** What was found for a device: for which it is, and for no other. */
export interface TunedDevice extends Tuned {
  readonly deviceClass: DeviceClass
  readonly adapter: string
}

export type TuneError =
  { readonly tag: 'notAcquired'; readonly error: AcquireError } | { readonly tag: 'notMeasured'; readonly error: RunError }

/** A program of a sample, its sizes, and what it is given. */
interface Sampled {
  readonly plan: Plan
  readonly inputs: Readonly<Record<string, Value>>
}

const planOf = (p: Program<unknown, unknown, unknown>): Plan =>
  pipe(
    plan(p),
    E.getOrElse((): Plan => {
      throw new Error('a sample has a plan')
    }),
  )

const matrix = (height: number, width: number): Value => ({
  sizes: [height, width],
  data: Float32Array.from({ length: height * width }, (_, i) => Math.sin(i + 1)),
})

const n = 512

const product = (rows: number, row: number | Size): Sampled => ({
  plan: planOf(
    program({
      inputs: { x: f32({ row, k: n }), y: f32({ k: n, column: n }) },
      body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
    }),
  ),
  inputs: { x: matrix(rows, n), y: matrix(n, n) },
})

const longRows = (): Sampled => ({
  plan: planOf(program({ inputs: { x: f32('row', 'k') }, body: ({ x }) => ({ outputs: { y: softmax('k')(x) } }) })),
  inputs: { x: matrix(256, 4096) },
})

/** The rows of the first are a number that no tile divides. */
const samples: { readonly [S in Sample]: () => Sampled } = {
  edged: () => product(n - 13, sizeOf('row')),
  whole: () => product(n, n),
  rows: longRows,
}

/** The first is not counted: a driver may compile only then. */
const rounds = 5

const measureOn =
  (gpu: Gpu): Measure<RunError> =>
  ({ tiling, rowLanes }: Tried, sample: Sample) => {
    const { plan: of, inputs } = samples[sample]()
    const { rowLanes: _, ...others } = gpu.schedule
    return pipe(
      makeRunner({ ...gpu, schedule: { ...others, tiling, ...(rowLanes !== undefined && { rowLanes }) } }, of),
      TE.flatMap((run) => async (): Promise<E.Either<RunError, number>> => {
        const times: number[] = []
        for (let round = 0; round < rounds; round++) {
          const ran = await run({ inputs, state: {}, isTimed: true })
          if (E.isLeft(ran)) return E.left(ran.left[0])
          if (round > 0) times.push(ran.right.spans.reduce((sum, { seconds }) => sum + seconds, 0))
        }
        return E.right(Math.min(...times))
      }),
    )
  }

const tuneAcquired = (acquired: Acquired): TE.TaskEither<RunError, TunedDevice> => {
  const gpu = gpuOf(acquired)
  const deviceClass = acquired.isHardware ? 'hardware' : 'software'
  return pipe(
    canStamp(gpu) ? tune(deviceClass, measureOn(gpu)) : TE.left(noClock(gpu)),
    TE.map((tuned) => ({ ...tuned, deviceClass, adapter: acquired.adapterName })),
  )
}

/** Measure schedules on a device of the kind, by its own clock. */
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
