import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { of, type NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Elements, type Kernel, outputTree, type Plan } from '../../compiler/index.js'
import { bind, type Bound, givenValues } from '../../dsl/index.js'
import type { DeviceError, Loaded, RunError } from '../backend.js'
import { type Givens, placeGivens } from '../givens.js'
import type { Gpu } from './gpu.js'
import { parameterBlocks } from './parameters.js'
import { createPrepare, type Prepare, type Prepared } from './prepared.js'
import type { Ready } from './ready.js'
import { copiedElements } from './staging.js'
import { type RunBuffers, submitRun } from './submit.js'
import { inTiles } from './tiles.js'

const makeReady = (gpu: Gpu, untiled: Plan): TE.TaskEither<DeviceError, Ready> => {
  const plan = inTiles(untiled)
  const blocks = parameterBlocks(plan)
  return pipe(
    plan.kernels,
    TE.traverseSeqArray((kernel: Kernel) => () => gpu.pipelines.compile(kernel)),
    TE.bindTo('compiled'),
    TE.bind('parameters', () => TE.fromEither(gpu.memory.create(blocks.bytes, 'parameters'))),
    TE.map(({ compiled, parameters }) => ({ gpu, plan, compiled, blocks, parameters })),
  )
}

const buffersFor = ({ gpu: { arena, staging } }: Ready, prepared: Prepared): E.Either<DeviceError, RunBuffers> =>
  pipe(
    prepared.layout.arena === 0 ? E.right(undefined) : arena.atLeast(prepared.layout.arena),
    E.bindTo('arena'),
    E.bind('staging', () => (prepared.downloadBytes === 0 ? E.right(undefined) : staging.take(prepared.downloadBytes))),
  )

/** The outputs' elements, once the device has made them. */
const readOutputs = async ({ gpu, plan }: Ready, prepared: Prepared, staging: GPUBuffer | undefined): Promise<readonly Elements[]> => {
  const elements = (bytes: ArrayBuffer): readonly Elements[] =>
    prepared.downloads.map(({ buffer, at, bytes: length }) => copiedElements(plan.buffers[buffer]!.dtype, bytes, at, length))
  return staging === undefined ? elements(new ArrayBuffer(0)) : gpu.staging.read(staging, prepared.downloadBytes, elements)
}

const execute = async (
  ready: Ready,
  prepared: Prepared,
  givens: Givens<GPUBuffer>,
): Promise<E.Either<DeviceError, readonly Elements[]>> => {
  const { faults, arena } = ready.gpu
  const done = await faults.during(() =>
    pipe(
      buffersFor(ready, prepared),
      E.map((buffers) => {
        submitRun(ready, prepared, givens, buffers)
        return readOutputs(ready, prepared, buffers.staging)
      }),
    ),
  )
  if (E.isLeft(done) && (done.left.tag === 'outOfMemory' || done.left.tag === 'exhausted')) arena.forget() // what could not be made is no arena
  return done
}

interface Started {
  readonly bound: Bound
  readonly elements: Promise<E.Either<DeviceError, readonly Elements[]>>
}

/** Check what a run is given and give its commands, without waiting. */
const start = (ready: Ready, prepare: Prepare, inputs: unknown, state: unknown): E.Either<NonEmptyArray<RunError>, Started> => {
  const { gpu, plan } = ready
  return pipe(
    E.mapLeft(of<RunError>)(gpu.faults.check('a run')),
    E.chain((): E.Either<NonEmptyArray<RunError>, Bound> => bind(plan.requirements, givenValues(plan.program, inputs, state))),
    E.bindTo('bound'),
    E.bind('givens', ({ bound }): E.Either<NonEmptyArray<RunError>, Givens<GPUBuffer>> => placeGivens(plan, bound, gpu.held, 'one')),
    E.bind('prepared', ({ bound, givens }) => E.mapLeft(of<RunError>)(prepare(bound.sizes, givens.resident))),
    E.map(({ bound, givens, prepared }) => ({ bound, elements: execute(ready, prepared, givens) })),
  )
}

const run = async (
  ready: Ready,
  prepare: Prepare,
  inputs: unknown,
  state: unknown,
): Promise<E.Either<NonEmptyArray<RunError>, unknown>> => {
  const started = start(ready, prepare, inputs, state)
  if (E.isLeft(started)) return started
  const { bound, elements } = started.right
  return pipe(
    await elements,
    E.mapLeft(of<RunError>),
    E.map((made) => outputTree(ready.plan, bound.sizes, (_, place) => made[place] ?? [])),
  )
}

export const load = <I, S, O>(
  gpu: Gpu,
  plan: Plan<I, S, O>,
  inFlight: <A>(task: Promise<A>) => Promise<A>,
): TE.TaskEither<DeviceError, Loaded<I, S, O>> =>
  pipe(
    makeReady(gpu, plan),
    TE.map((ready) => {
      const prepare = createPrepare(ready)
      return {
        run: ((inputs: unknown, state: unknown) => () => inFlight(run(ready, prepare, inputs, state))) as Loaded<I, S, O>['run'],
        counts: () => ({ kernels: gpu.pipelines.count(), allocations: gpu.memory.allocations }),
      }
    }),
  )
