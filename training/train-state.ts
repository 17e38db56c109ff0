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
