import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Plan } from '../../compiler/index.js'
import type { DeviceError, Loaded, RunError } from '../backend.js'
import { timed } from '../profile.js'
import type { Gpu } from './gpu.js'
import { makeRunner, type Ran, type Runner } from './running.js'
import { canStamp } from './stamps.js'

/** The roofline first: where it cannot be measured nothing has been run, and no state replaced. */
const profileOf = async (gpu: Gpu, plan: Plan, timedRun: () => ReturnType<Runner>): Promise<E.Either<NonEmptyArray<RunError>, unknown>> => {
  const peak = await pipe(
    TE.fromEither(gpu.faults.check('a run')),
    TE.chain(() => gpu.peak),
  )()
  if (E.isLeft(peak)) return E.left([peak.left])
  return pipe(
    await timedRun(),
    E.map(({ outputs, bound, spans }) => ({
      device: gpu.name,
      outputs,
      commands: timed(plan, bound, spans),
      peak: peak.right,
    })),
  )
}

const outputsOf = async (ran: ReturnType<Runner>): Promise<E.Either<NonEmptyArray<RunError>, unknown>> =>
  E.map(({ outputs }: Ran) => outputs)(await ran)

export const noClock = ({ name }: Gpu): RunError => ({
  tag: 'commandRefused',
  device: name,
  because: 'the adapter has no clock (timestamp-query)',
})

export const load = <I, S, O>(
  gpu: Gpu,
  plan: Plan<I, S, O>,
  inFlight: <A>(task: Promise<A>) => Promise<A>,
): TE.TaskEither<DeviceError, Loaded<I, S, O>> =>
  pipe(
    makeRunner(gpu, plan),
    TE.map((runner) => ({
      run: ((inputs: unknown, state: unknown) => () => inFlight(outputsOf(runner({ inputs, state, isTimed: false })))) as Loaded<
        I,
        S,
        O
      >['run'],
      profile: ((inputs: unknown, state: unknown) =>
        canStamp(gpu)
          ? () => inFlight(profileOf(gpu, plan, () => runner({ inputs, state, isTimed: true })))
          : TE.left([noClock(gpu)])) as Loaded<I, S, O>['profile'],
      counts: () => ({ kernels: gpu.pipelines.count(), allocations: gpu.memory.allocations }),
    })),
  )
