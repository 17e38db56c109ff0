import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { of, type NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { computedBy, type Divided, type Elements, type Kernel, outputTree, type Plan } from '../../compiler/index.js'
import { bind, type Bound, givenValues } from '../../dsl/index.js'
import type { DeviceError, RunError } from '../backend.js'
import { type Givens, placeGivens } from '../givens.js'
import { type Span, spansOf } from '../profile.js'
import type { Gpu } from './gpu.js'
import { dispatchesOf, parameterBlocks } from './parameters.js'
import { createPrepare, type Prepare, type Prepared } from './prepared.js'
import type { Ready } from './ready.js'
import { scheduled, wgslOf } from './scheduled.js'
import { copiedElements, onLeft } from './staging.js'
import { createStamps } from './stamps.js'
import { hasSubgroups } from './subgroups.js'
import { type RunBuffers, submitRun } from './submit.js'

const makeReady = (gpu: Gpu, { plan }: Divided): TE.TaskEither<DeviceError, Ready> => {
  const blocks = parameterBlocks(plan)
  return pipe(
    plan.kernels,
    TE.traverseSeqArrayWithIndex(
      (i, kernel: Kernel) => () =>
        gpu.pipelines.compile(kernel, wgslOf(plan, i, { subgroups: hasSubgroups(gpu.device) }), computedBy(plan, i)),
    ),
    TE.bindTo('compiled'),
    TE.bind('parameters', () => TE.fromEither(gpu.memory.create(blocks.bytes, 'parameters'))),
    TE.map(({ compiled, parameters }) => ({ gpu, plan, compiled, blocks, parameters })),
  )
}

const buffersFor = ({ gpu, plan }: Ready, prepared: Prepared, isTimed: boolean): E.Either<DeviceError, RunBuffers> => {
  const { arena, staging } = gpu
  return pipe(
    prepared.layout.arena === 0 ? E.right(undefined) : arena.atLeast(prepared.layout.arena),
    E.bindTo('arena'),
    E.bind('staging', () => (prepared.downloadBytes === 0 ? E.right(undefined) : staging.take(prepared.downloadBytes))),
    E.bind('stamps', ({ staging: taken }) =>
      pipe(
        isTimed ? createStamps(gpu, dispatchesOf(plan).length) : E.right(undefined),
        onLeft(() => {
          if (taken !== undefined) staging.giveBack(taken)
        }),
      ),
    ),
  )
}

/** The outputs' elements, once the device has made them. */
const readOutputs = async ({ gpu, plan }: Ready, prepared: Prepared, staging: GPUBuffer | undefined): Promise<readonly Elements[]> => {
  const elements = (bytes: ArrayBuffer): readonly Elements[] =>
    prepared.downloads.map(({ buffer, at, bytes: length }) => copiedElements(plan.buffers[buffer]!.dtype, bytes, at, length))
  return staging === undefined ? elements(new ArrayBuffer(0)) : gpu.staging.read(staging, prepared.downloadBytes, elements)
}

/** Both are waited for together: where the device is lost both fail, and neither unheard. */
const done = async (reads: Promise<readonly Elements[]>, stamps: Promise<readonly Span[]> = Promise.resolve([])): Promise<Done> => {
  const [elements, spans] = await Promise.all([reads, stamps])
  return { elements, spans }
}

/** What a run has made, and when each dispatch ran, where that was asked. */
interface Done {
  readonly elements: readonly Elements[]
  readonly spans: readonly Span[]
}

const execute = async (
  ready: Ready,
  prepared: Prepared,
  givens: Givens<GPUBuffer>,
  isTimed: boolean,
): Promise<E.Either<DeviceError, Done>> => {
  const { faults, arena } = ready.gpu
  const result = await faults.during(() =>
    pipe(
      buffersFor(ready, prepared, isTimed),
      E.map((buffers) => {
        submitRun(ready, prepared, givens, buffers)
        return done(readOutputs(ready, prepared, buffers.staging), buffers.stamps?.read())
      }),
    ),
  )
  if (E.isLeft(result) && (result.left.tag === 'outOfMemory' || result.left.tag === 'exhausted')) arena.forget() // what could not be made is no arena
  return result
}

/** A run, and whether it is timed. */
interface Asked {
  readonly inputs: unknown
  readonly state: unknown
  readonly isTimed: boolean
}

interface Started {
  readonly bound: Bound
  readonly done: Promise<E.Either<DeviceError, Done>>
}

/** Check what a run is given and give its commands, without waiting. */
const start = (ready: Ready, prepare: Prepare, { inputs, state, isTimed }: Asked): E.Either<NonEmptyArray<RunError>, Started> => {
  const { gpu, plan } = ready
  return pipe(
    E.mapLeft(of<RunError>)(gpu.faults.check('a run')),
    E.chain((): E.Either<NonEmptyArray<RunError>, Bound> => bind(plan.requirements, givenValues(plan.program, inputs, state))),
    E.bindTo('bound'),
    E.bind('givens', ({ bound }): E.Either<NonEmptyArray<RunError>, Givens<GPUBuffer>> => placeGivens(plan, bound, gpu.held, 'one')),
    E.bind('prepared', ({ bound, givens }) => E.mapLeft(of<RunError>)(prepare(bound.sizes, givens.resident))),
    E.map(({ bound, givens, prepared }) => ({ bound, done: execute(ready, prepared, givens, isTimed) })),
  )
}

/** The spans of dispatches as those of commands: a copy is not timed. */
const ofCommands = ({ commands }: Plan, spans: readonly Span[]): readonly Span[] => {
  let dispatch = 0
  return commands.map(({ tag }) => (tag === 'copy' ? { begin: 0, seconds: 0 } : (spans[dispatch++] ?? { begin: 0, seconds: 0 })))
}

/** What a run gave, at which sizes, and, where that was asked, when each of its plan's commands ran. */
export interface Ran {
  readonly outputs: unknown
  readonly bound: ReadonlyMap<string, number>
  readonly spans: readonly Span[]
}

const run = async (
  ready: Ready,
  stepOf: readonly number[],
  prepare: Prepare,
  asked: Asked,
): Promise<E.Either<NonEmptyArray<RunError>, Ran>> => {
  const started = start(ready, prepare, asked)
  if (E.isLeft(started)) return started
  const { bound, done } = started.right
  return pipe(
    await done,
    E.mapLeft(of<RunError>),
    E.map(({ elements, spans }) => ({
      outputs: outputTree(ready.plan, bound.sizes, (_, place) => elements[place] ?? []),
      bound: bound.sizes,
      spans: spansOf(stepOf, ofCommands(ready.plan, spans)),
    })),
  )
}

export type Runner = (asked: Asked) => ReturnType<typeof run>

/** A plan made ready to be run, timed or not. */
export const makeRunner = (gpu: Gpu, whole: Plan): TE.TaskEither<DeviceError, Runner> => {
  const onDevice = scheduled(whole, gpu.schedule, gpu.precision)
  return pipe(
    makeReady(gpu, onDevice),
    TE.map((ready) => {
      const prepare = createPrepare(ready)
      return (asked) => run(ready, onDevice.stepOf, prepare, asked)
    }),
  )
}
