import { availableParallelism } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import type { Plan } from '../../compiler/index.js'
import { type GivenFor, givenValues, type MadeBy } from '../../dsl/index.js'
import type { Device, DeviceError, Loaded, RunError } from '../backend.js'
import { withDevice } from '../bracket.js'
import { type Peak, type Span, spansOf, timed, unknownPeak } from '../profile.js'
import { compile } from './compile.js'
import { atOnce } from './execute.js'
import { mostBytes } from './memory.js'
import type { CpuOptions } from './options.js'
import { createOwned, type Owned, type ProgramKey } from './owned.js'
import { inParts } from './parts.js'
import { measurePeak } from './peak.js'
import { type Ran, runnerOf } from './run.js'
import { timing } from './timing.js'
import { hasRelaxed } from './wasm/relaxed.js'

/** Tasks one after the other, in the order in which they were begun. */
const inTurn = (): (<A>(task: T.Task<A>) => T.Task<A>) => {
  let last: Promise<unknown> = Promise.resolve()
  return (task) => () => {
    const next = last.then(task)
    last = next.catch(() => undefined)
    return next
  }
}

let opened = 0

/** The CPU as a device: WebAssembly over one memory, in which all its programs share what is held. It needs no driver and always opens. */
export const openCpu = ({
  limit = mostBytes,
  turn = 50,
  strict = false,
  threads = availableParallelism(),
  wake = 150,
}: CpuOptions = {}): Device => {
  const device = `cpu ${String(++opened)}`
  const fused = !strict && hasRelaxed()
  const exclusively = inTurn()
  let owned: Owned | undefined = createOwned(device, { limit, turn, threads, wake })
  let counts = { kernels: 0, allocations: 0 }

  /** A task on what the device owns, if it still does when the task's turn comes. */
  const owning = <Err, A>(
    what: string,
    refusal: (error: DeviceError) => Err,
    task: (owned: Owned) => E.Either<Err, A> | Promise<E.Either<Err, A>>,
  ): T.Task<E.Either<Err, A>> =>
    exclusively(async () => {
      if (owned === undefined) return E.left(refusal({ tag: 'released', device, what }))
      const { memory } = owned
      const result = await task(owned)
      counts = { ...counts, allocations: memory.allocations() }
      return result
    })

  const asIs = (error: DeviceError): DeviceError => error
  const asFirst = (error: DeviceError): NonEmptyArray<RunError> => [error]

  let peak: Peak | undefined
  /** Measured once; where it cannot be, the next profile tries again, and this one has its times without. */
  const peakOf = async (): Promise<Peak> => {
    const measured = peak === undefined ? await measurePeak(threads, fused) : E.right(peak)
    if (E.isRight(measured)) peak = measured.right
    return peak ?? unknownPeak
  }

  const loaded = <I, S, O>(program: ProgramKey, whole: Plan<I, S, O>, stepOf: readonly number[]): Loaded<I, S, O> => {
    const runner = runnerOf(program)
    const given = (inputs: GivenFor<I>, state?: GivenFor<S>) => givenValues(program.plan.program, inputs, state)
    return {
      run: (inputs, state) =>
        owning('a run', asFirst, async (own) =>
          E.map(({ outputs }: Ran) => outputs as MadeBy<O>)(await runner(own, given(inputs, state), atOnce)),
        ),
      profile: (inputs, state) =>
        owning('a profile', asFirst, async (own) => {
          const spans: Span[] = []
          const made = await runner(
            own,
            given(inputs, state),
            timing((span) => void spans.push(span)),
          )
          if (E.isLeft(made)) return made
          const { outputs, bound } = made.right
          return E.right({
            device,
            outputs: outputs as MadeBy<O>,
            commands: timed(whole, bound, spansOf(stepOf, spans)),
            peak: await peakOf(),
          })
        }),
      counts: () => counts,
    }
  }

  return {
    name: device,
    facts: {
      adapter: 'WebAssembly',
      isHardware: false,
      limits: { maxBufferSize: limit },
      features: fused ? ['simd', 'relaxed-simd'] : ['simd'],
    },
    load: (whole) =>
      owning('a program', asIs, async ({ programs, memory }) => {
        const { plan, stepOf } = inParts(whole)
        const compiled = await compile(device, plan, memory.wasm, { fused })
        if (E.isLeft(compiled)) return compiled
        const program: ProgramKey = { plan, units: compiled.right.units }
        programs.set(program, compiled.right)
        counts = { ...counts, kernels: counts.kernels + plan.kernels.length }
        return E.right(loaded(program, whole, stepOf))
      }),
    hold: (dtype, value) => owning('a tensor', asIs, ({ tensors }) => tensors.hold(dtype, value)),
    read: (tensor) => owning('a tensor', asIs, ({ tensors }) => tensors.read(tensor)),
    holds: () => owned?.held.all() ?? [],
    drop: (tensor) => owned?.tensors.drop(tensor),
    release: exclusively(() => {
      owned?.team.stop()
      owned = undefined
      return Promise.resolve()
    }),
  }
}

/** Open the CPU, use it and release it: `withCpu()((device) => …)`. */
export const withCpu = (options: CpuOptions = {}): ReturnType<typeof withDevice<never>> =>
  withDevice(TE.fromIO((): Device => openCpu(options)))
