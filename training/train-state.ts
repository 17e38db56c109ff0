import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import type { Moments } from './adamw.js'
import type { TrainError } from './errors.js'
import { type HeldFor, holdTree, holdZeros } from './held.js'

/** Parameters and moments, held by a device. A step writes the new ones over the old, so a state is good for one step. */
export interface TrainState<P> {
  /** How many updates these moments have seen. */
  readonly step: number
  readonly params: HeldFor<P>
  readonly moments: Moments<HeldFor<P>>
}

/** The state before the first update, of parameters that the device holds. */
export const withFreshMoments =
  (device: Device) =>
  <P>(specs: P, params: HeldFor<P>): TE.TaskEither<TrainError, TrainState<P>> =>
    pipe(
      TE.Do,
      TE.bind('mean', () => holdZeros(device)(specs)),
      TE.bind('square', () => holdZeros(device)(specs)),
      TE.map((moments) => ({ step: 0, params, moments })),
    )

/** The state before the first update, of parameters of the host. */
export const initialState =
  (device: Device) =>
  <P>(specs: P, values: unknown): TE.TaskEither<TrainError, TrainState<P>> =>
    pipe(
      holdTree(device)(specs, values),
      TE.chain((params) => withFreshMoments(device)(specs, params)),
    )

type Named<K extends string, P> = { readonly [N in K]: P }

/** The state of one net as that of a record that has it alone. */
export const named =
  <K extends string>(name: K) =>
  <P>({ step, params, moments: { mean, square } }: TrainState<P>): TrainState<Named<K, P>> => {
    const under = (tree: HeldFor<P>): HeldFor<Named<K, P>> => ({ [name]: tree }) as HeldFor<Named<K, P>>
    return { step, params: under(params), moments: { mean: under(mean), square: under(square) } }
  }

/** The state of one net of a record. */
export const ofName =
  <K extends string>(name: K) =>
  <P>({ step, params, moments: { mean, square } }: TrainState<Named<K, P>>): TrainState<P> => {
    const of = (tree: unknown): HeldFor<P> => (tree as Named<K, HeldFor<P>>)[name]
    return { step, params: of(params), moments: { mean: of(mean), square: of(square) } }
  }
