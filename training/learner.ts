import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import type { GivenFor, HostTensor, MadeBy, SpecTree } from '../dsl/index.js'
import type { AdamWState, Moments } from './adamw.js'
import type { TrainError } from './errors.js'
import { given, load, type LoadedProgram, run } from './load.js'
import { type Learning, type StepInputs, type StepOutputs, type StepProgram, stepProgram } from './step-program.js'
import type { TrainState } from './train-state.js'

/** What a step learns from, and what its maker wants said of it in the step's report. */
export interface Batch<B, A> {
  readonly given: GivenFor<B>
  /** The greatest drift with which the step is taken, in nats; any, if not said. */
  readonly mostDrift?: number
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
  /** How far the policy had gone since it sampled, in nats. */
  readonly drift: number
  /** Whether the parameters were changed: not where the drift was above its limit. */
  readonly taken: boolean
  readonly metrics: Readonly<Record<string, number>>
  readonly about: A
}

/** The state after a step, and its report. */
export interface Stepped<P, A> {
  readonly state: TrainState<P>
  readonly report: Report<A>
}

/**
 * What makes a state better. The state it is given is spent: the device writes the new one over it. Fails with `runFailed` where the
 * batch does not fit the specs, and with `notFinite` where the loss or the gradients' norm is not; the device has the state as it was then.
 */
export interface Learner<P, B> {
  readonly step: <A>(state: TrainState<P>, batch: Batch<B, A>) => TE.TaskEither<TrainError, Stepped<P, A>>
}

/** The learning rate of a step, from 1. */
export type Schedule = (step: number) => number

/** What a step measured, as numbers. `taken` is 1 or 0. */
export interface Measures {
  readonly loss: number
  readonly gradNorm: number
  readonly drift: number
  readonly taken: number
  readonly metrics: Readonly<Record<string, number>>
}

export const numberOf = ({ data }: HostTensor): number => data[0] ?? NaN

export const numbersOf = (named: Readonly<Record<string, HostTensor>>): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(named).map(([name, value]) => [name, numberOf(value)]))

const notFinite = (step: number, quantities: Readonly<Record<string, number>>): TrainError | undefined => {
  const [found] = Object.entries(quantities).filter(([, value]) => !Number.isFinite(value))
  return found && { tag: 'notFinite', step, quantity: found[0], value: found[1] }
}

/** The report of a step; or its fault. */
export const reportOf = <A>(
  { taken, ...measures }: Measures,
  of: Pick<Report<A>, 'step' | 'learningRate' | 'about'>,
): E.Either<TrainError, Report<A>> => {
  const fault = notFinite(of.step, { loss: measures.loss, 'the gradient norm': measures.gradNorm })
  return fault === undefined ? E.right({ ...of, ...measures, taken: taken === 1 }) : E.left(fault)
}

const measuresOf = ({ loss, gradNorm, drift, taken, metrics }: MadeBy<StepOutputs>): Measures => ({
  loss: numberOf(loss),
  gradNorm: numberOf(gradNorm),
  drift: numberOf(drift),
  taken: numberOf(taken),
  metrics: numbersOf(metrics),
})

/** The state after a step that may not have been taken. */
export const after = <P, A>(state: TrainState<P>, report: Report<A>): Stepped<P, A> => ({
  state: { ...state, step: report.taken ? report.step : state.step },
  report,
})

/** What of a state a program replaces. */
export const stateOf = <P>({ params, moments }: TrainState<P>): GivenFor<AdamWState<P>> =>
  given<AdamWState<P>>({ params, moments: given<Moments<P>>(moments) })

const learnerOf = <P, B>(name: string, loaded: LoadedProgram<StepProgram<P, B>>, schedule: Schedule): Learner<P, B> => ({
  step: (state, { given: batch, mostDrift = Infinity, about }) => {
    const step = state.step + 1
    const learningRate = schedule(step)
    return pipe(
      run(name, loaded, given<StepInputs<B>>({ batch, learningRate, step, mostDrift }), stateOf(state)),
      TE.flatMapEither((outputs) => reportOf(measuresOf(outputs), { step, learningRate, about })),
      TE.map((report) => after(state, report)),
    )
  },
})

/** Make a learner ready on a device: compiled once, for batches of any size. Fails where the loss cannot be planned or the device refuses it. */
export const loadLearner =
  (device: Device) =>
  <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>, schedule: Schedule): TE.TaskEither<TrainError, Learner<P, B>> =>
    pipe(
      load(device)(learning.name, () => stepProgram(learning)),
      TE.map((loaded) => learnerOf(learning.name, loaded, schedule)),
    )
