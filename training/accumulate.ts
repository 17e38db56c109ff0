import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import {
  add,
  bool,
  f32,
  type GivenFor,
  type Program,
  program,
  type Scalar,
  select,
  type Spec,
  type SpecTree,
  type Tensor,
} from '../dsl/index.js'
import type { AdamWState } from './adamw.js'
import type { TrainError } from './errors.js'
import { type HeldFor, holdZeros } from './held.js'
import { after, numbersOf, reportOf, type Schedule, stateOf, type Stepped } from './learner.js'
import { given, load, type LoadedProgram, run } from './load.js'
import { zipParameters } from './parameters.js'
import { type Learning, measure, moved, type Objective, type Pace, paceSpecs, type StepOutputs, type Updating } from './step-program.js'
import type { TrainState } from './train-state.js'

/** A step's batch in parts. Loss, drift and metrics of the parts add up to those of the whole: their divisors are the whole's (`ofStep`). */
export interface Parts<B, A> {
  readonly parts: readonly GivenFor<B>[]
  /** The greatest drift with which the step is taken, in nats; any, if not said. */
  readonly mostDrift?: number
  readonly about: A
}

/** What makes a state better by batches that are too large for one run: the step is that of the whole. */
export interface Accumulator<P, B> {
  readonly step: <A>(state: TrainState<P>, batch: Parts<B, A>) => TE.TaskEither<TrainError, Stepped<P, A>>
}

interface Part<P, B> {
  readonly batch: B
  readonly params: P
  readonly isFirst: Tensor<never, 'bool'>
}

/** The gradient of a part, added to those of the parts before it. */
const summing =
  <P, B>(objective: Objective<P, B>) =>
  ({ batch, params, isFirst }: Part<P, B>, { sum }: { readonly sum: P }) => {
    const { grad, ...measured } = measure(objective)(params, batch)
    const next = zipParameters((before, own) => select(isFirst, own, add(before, own)))(sum, grad)
    return { outputs: measured, state: { sum: next } }
  }

interface Summed<P> extends Pace {
  readonly sum: P
  readonly loss: Scalar
  readonly drift: Scalar
}

/** The update by a sum of gradients. */
const applying =
  (updating: Updating) =>
  <P>({ sum, loss, drift, ...pace }: Summed<P>, state: AdamWState<P>) => {
    const { state: next, gradNorm, taken } = moved(updating)(state, { loss, drift, grad: sum }, pace)
    return { outputs: { gradNorm, taken }, state: next }
  }

type Carry<P> = { readonly sum: P }
type PartInputs<P, B> = { readonly batch: B; readonly params: P; readonly isFirst: Spec<never, 'bool'> }
type PartProgram<P, B> = Program<PartInputs<P, B>, Carry<P>, Omit<StepOutputs, 'gradNorm' | 'taken'>>
type ApplyInputs<P> = { readonly sum: P; readonly loss: Spec<never, 'f32'>; readonly drift: Spec<never, 'f32'> } & typeof paceSpecs
type ApplyProgram<P> = Program<ApplyInputs<P>, AdamWState<P>, Pick<StepOutputs, 'gradNorm' | 'taken'>>

const partProgram = <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>): PartProgram<P, B> =>
  program({
    inputs: { batch: learning.batch, params: learning.parameters, isFirst: bool() },
    state: { sum: learning.parameters },
    body: summing(learning),
  })

const applyProgram = <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>): ApplyProgram<P> => {
  const { parameters } = learning
  return program({
    inputs: { sum: parameters, loss: f32(), drift: f32(), ...paceSpecs },
    state: { params: parameters, moments: { mean: parameters, square: parameters } },
    body: applying(learning),
  })
}

interface Programs<P, B> {
  readonly name: string
  readonly part: LoadedProgram<PartProgram<P, B>>
  readonly apply: LoadedProgram<ApplyProgram<P>>
  /** Where the gradients are summed. */
  readonly sum: HeldFor<P>
}

type Numbers = Readonly<Record<string, number>>

/** How a number of a whole batch comes of those of its parts: least and greatest by their names, all others add up. */
const joined = (name: string, parts: readonly number[]): number =>
  name.endsWith('Least') ? Math.min(...parts) : name.endsWith('Greatest') ? Math.max(...parts) : parts.reduce((sum, x) => sum + x, 0)

const ofWhole = (parts: readonly Numbers[]): Numbers =>
  Object.fromEntries(
    Object.keys(parts[0] ?? {}).map((name) => [
      name,
      joined(
        name,
        parts.map((part) => part[name] ?? NaN),
      ),
    ]),
  )

const measuredParts =
  <P, B>({ name, part, sum }: Programs<P, B>, params: HeldFor<P>) =>
  (parts: readonly GivenFor<B>[]): TE.TaskEither<TrainError, readonly Numbers[]> =>
    pipe(
      parts,
      TE.traverseSeqArrayWithIndex((i, batch) =>
        run(name, part, given<PartInputs<P, B>>({ batch, params, isFirst: i === 0 ? 1 : 0 } as never), given<Carry<P>>({ sum } as never)),
      ),
      TE.map((made) => made.map(({ loss, drift, metrics }) => ({ ...numbersOf(metrics), ...numbersOf({ loss, drift }) }))),
    )

const accumulatorOf = <P, B>(programs: Programs<P, B>, schedule: Schedule): Accumulator<P, B> => ({
  step: (state, { parts, mostDrift = Infinity, about }) => {
    const step = state.step + 1
    const learningRate = schedule(step)
    return pipe(
      measuredParts(programs, state.params)(parts),
      TE.map(ofWhole),
      TE.flatMap(({ loss = 0, drift = 0, ...metrics }) =>
        pipe(
          run(
            programs.name,
            programs.apply,
            given<ApplyInputs<P>>({ sum: programs.sum, loss, drift, learningRate, step, mostDrift } as never),
            stateOf(state),
          ),
          TE.map(numbersOf),
          TE.flatMapEither(({ gradNorm = NaN, taken = NaN }) =>
            reportOf({ loss, drift, metrics, gradNorm, taken }, { step, learningRate, about }),
          ),
        ),
      ),
      TE.map((report) => after(state, report)),
    )
  },
})

/** Make an accumulator ready on a device, with room for one more tree of gradients. */
export const loadAccumulator =
  (device: Device) =>
  <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>, schedule: Schedule): TE.TaskEither<TrainError, Accumulator<P, B>> =>
    pipe(
      TE.Do,
      TE.bind('part', () => load(device)(learning.name, () => partProgram(learning))),
      TE.bind('apply', () => load(device)(`update of ${learning.name}`, () => applyProgram(learning))),
      TE.bind('sum', () => holdZeros(device)(learning.parameters)),
      TE.map((programs) => accumulatorOf<P, B>({ name: learning.name, ...programs }, schedule)),
    )
