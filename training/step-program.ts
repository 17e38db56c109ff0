import { pipe } from 'fp-ts/lib/function.js'
import { vjp } from '../autodiff/index.js'
import {
  abs,
  and,
  f32,
  less,
  lessEqual,
  mapTree,
  isTensor,
  type Program,
  program,
  scalar,
  type Scalar,
  select,
  type SpecTree,
  stopGradient,
  type Tensor,
  type TensorsOf,
} from '../dsl/index.js'
import { adamW, type AdamWSettings, type AdamWState } from './adamw.js'
import { clipByGlobalNorm } from './clip.js'
import { zipParameters } from './parameters.js'

/** Numbers by name. */
export type Scalars = Readonly<Record<string, Scalar>>

/** What is made smaller, and what is said of it, as functions of parameters and a batch. */
export interface Objective<P, B> {
  /** Its gradient is taken in `params` alone. */
  readonly loss: (params: P, batch: B) => Scalar
  /** Numbers to watch a step by, of the parameters before it. What they share with the loss is computed once. */
  readonly metrics?: (params: P, batch: B) => Scalars
  /** How far the policy has gone since it sampled, in nats: a step that finds it above its limit is not taken. 0 if not said. */
  readonly drift?: (params: P, batch: B) => Scalar
}

/** How gradients become an update. */
export interface Updating {
  /** AdamW's; its defaults unless given. */
  readonly optimizer?: AdamWSettings
  /** The greatest global norm of the gradients; 1 unless given. */
  readonly maxNorm?: number
}

/** What is learnt: the parameters, what a step is given, and what it makes smaller. */
export interface Learning<P extends SpecTree, B extends SpecTree> extends Objective<TensorsOf<P>, TensorsOf<B>>, Updating {
  /** For people: `supervised`, `grpo`. */
  readonly name: string
  readonly parameters: P
  readonly batch: B
}

/** A loss, its gradient and what it is watched by, at one place. */
export interface Measured<P> {
  readonly loss: Scalar
  readonly grad: P
  readonly drift: Scalar
  readonly metrics: Scalars
}

/** The vjp by parameters that are any tree of f32 tensors; that they are f32 is not to be seen from here. */
const pulled = vjp as unknown as <P, Y>(f: (params: P) => Y, params: P) => { readonly value: Y; readonly pull: (ct: unknown) => P }

const watched = mapTree(isTensor)((x) => stopGradient(x as Scalar)) as <T>(tree: T) => T

export const measure =
  <P, B>({ loss, metrics, drift }: Objective<P, B>) =>
  (params: P, batch: B): Measured<P> => {
    const all = (at: P) => ({
      loss: loss(at, batch),
      ...watched({ drift: drift?.(at, batch) ?? scalar(0), metrics: metrics?.(at, batch) ?? {} }),
    })
    const { value, pull } = pulled(all, params)
    return { ...value, grad: pull({ loss: scalar(1) }) }
  }

const isFinite = (x: Scalar): Tensor<never, 'bool'> => less(abs(x), Infinity)

/** What an update is made from besides its state and its gradients. */
export interface Pace {
  readonly learningRate: Scalar
  /** Which update this is, from 1. */
  readonly step: Scalar
  /** The greatest drift with which a step is taken, in nats. */
  readonly mostDrift: Scalar
}

export const paceSpecs = { learningRate: f32(), step: f32(), mostDrift: f32() }

/** What an update came to. */
export interface Moved<P> {
  readonly state: AdamWState<P>
  /** Of the gradients before clipping. */
  readonly gradNorm: Scalar
  /** Whether the state is another: neither loss nor gradient is infinite or no number, and the policy has not gone too far. */
  readonly taken: Tensor<never, 'bool'>
}

/** Clipping and AdamW, or the state as it was. */
export const moved =
  ({ optimizer = {}, maxNorm = 1 }: Updating) =>
  <P>(
    state: AdamWState<P>,
    { loss, grad, drift }: Pick<Measured<P>, 'loss' | 'grad' | 'drift'>,
    { learningRate, step, mostDrift }: Pace,
  ): Moved<P> => {
    const { grads, norm } = pipe(grad, clipByGlobalNorm(maxNorm))
    const taken = and(and(isFinite(loss), isFinite(norm)), lessEqual(drift, mostDrift))
    const next = adamW(optimizer)(state, { grads, learningRate, step })
    return { state: zipParameters((after, before) => select(taken, after, before))(next, state), gradNorm: norm, taken }
  }

/** One update, over trees of tensors. */
const update =
  <P, B>(objective: Objective<P, B>, updating: Updating) =>
  ({ batch, ...pace }: Pace & { readonly batch: B }, state: AdamWState<P>) => {
    const { grad, ...measured } = measure(objective)(state.params, batch)
    const { state: next, gradNorm, taken } = moved(updating)(state, { ...measured, grad }, pace)
    return { outputs: { ...measured, gradNorm, taken }, state: next }
  }

/** What an update is given besides its state. */
export type StepInputs<B> = { readonly batch: B } & typeof paceSpecs

/** What an update says. */
export interface StepOutputs {
  readonly loss: Scalar
  readonly gradNorm: Scalar
  readonly taken: Tensor<never, 'bool'>
  readonly drift: Scalar
  readonly metrics: Scalars
}

/** One update as one program, with parameters and moments as state. */
export type StepProgram<P, B> = Program<StepInputs<B>, AdamWState<P>, StepOutputs>

/**
 * The program of a step: loss, gradients, clipping by global norm and AdamW. It outputs what it measured before the update, and writes the new
 * state over the old. A step whose loss or gradient is not finite, or that finds the policy too far from where it sampled, is not taken: the
 * state, moments and all, stays as it was.
 */
export const stepProgram = <P extends SpecTree, B extends SpecTree>(learning: Learning<P, B>): StepProgram<P, B> => {
  const { parameters, batch } = learning
  return program({
    inputs: { batch, ...paceSpecs },
    state: { params: parameters, moments: { mean: parameters, square: parameters } },
    body: update(learning, learning),
  })
}
