import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import type { GivenFor, HostTensor, SpecTree } from '../dsl/index.js'
import type { AdamWState, Moments } from './adamw.js'
import type { TrainError } from './errors.js'
import { given, load, type LoadedProgram, run } from './load.js'
import { type Learning, type StepInputs, type StepProgram, stepProgram } from './step-program.js'
import type { TrainState } from './train-state.js'

/** What a step learns from, and what its maker wants said of it in the step's report. */
export interface Batch<B, A> {
  readonly given: GivenFor<B>
  readonly about: A
}

/** What a step says of itself. */
export interface Report<A> {
  /** From 1. */
  readonly step: number
  /** Of the parameters before the update. */
  readonly loss: number
  /** The global norm of the gradients before clipping. */
  readonly gradNorm: number
  readonly learningRate: number
  readonly about: A
}

/** The state after a step, and its report. */
export interface Stepped<P, A> {
  readonly state: TrainState<P>
  readonly report: Report<A>
}

/**
 * What makes a state better. The state it is given is spent: the device writes the new one over it. Fails with `runFailed` where the
 * batch does not fit the specs, and with `notFinite` where the loss or the gradients' norm is not; by then the update has been made.
 */
export interface Learner<P, B> {
  readonly step: <A>(state: TrainState<P>, batch: Batch<B, A>) => TE.TaskEither<TrainError, Stepped<P, A>>
}

/** The learning rate of a step, from 1. */
export type Schedule = (step: number) => number

const numberOf = ({ data }: HostTensor): number => data[0] ?? NaN

const notFinite = (step: number, quantities: Readonly<Record<string, number>>): TrainError | undefined => {
  const [found] = Object.entries(quantities).filter(([, value]) => !Number.isFinite(value))
  return found && { tag: 'notFinite', step, quantity: found[0], value: found[1] }
}

const learnerOf = <P, B>(name: string, loaded: LoadedProgram<StepProgram<P, B>>, schedule: Schedule): Learner<P, B> => ({
  step: ({ step: made, ...held }, batch) => {
    const step = made + 1
    const learningRate = schedule(step)
    return pipe(
      run(
        name,
        loaded,
        given<StepInputs<B>>({ batch: batch.given, learningRate, step }),
        given<AdamWState<P>>({ params: held.params, moments: given<Moments<P>>(held.moments) }),
      ),
      TE.chain((outputs) => {
        const [loss, gradNorm] = [numberOf(outputs.loss), numberOf(outputs.gradNorm)]
        const fault = notFinite(step, { loss, 'the gradient norm': gradNorm })
        return fault === undefined
          ? TE.right({ state: { step, ...held }, report: { step, loss, gradNorm, learningRate, about: batch.about } })
          : TE.left(fault)
      }),
    )
  },
})

/** Make a learner ready on a device: compiled once, for batches of any size. Fails where the loss cannot be planned or the device refuses it. */
export const loadLearner =
  (device: Device) =>
  <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>, schedule: Schedule): TE.TaskEither<TrainError, Learner<P, B>> =>
    pipe(
      load(device)(learning.name, stepProgram(learning)),
      TE.map((loaded) => learnerOf(learning.name, loaded, schedule)),
    )
