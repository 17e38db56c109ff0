import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { isSpec, leaves, mapTree, leavesLike, type Value } from '../../dsl/index.js'
import type { DecoderSpecs, ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { holdTree, isValue, readTree } from '../held.js'
import type { NetSpecs } from '../nets.js'
import type { TrainState } from '../train-state.js'

/** The state of nets in training, as the host has it. */
export interface Snapshot {
  readonly policy: ValuesOf<DecoderSpecs>
  /** The critic, if there is one, and the moments, by their paths. */
  readonly rest: ReadonlyMap<string, Value>
}

/** Everything that training changes, the policy apart. */
const restSpecs = (specs: NetSpecs) => {
  const { policy: _, ...others } = specs
  return { params: others, moments: { mean: specs, square: specs } }
}

/** What a checkpoint has besides the policy, by path. */
export const restLeaves = (specs: NetSpecs) => leaves(isSpec)(restSpecs(specs))

const partsOf = ({ params, moments }: TrainState<NetSpecs>) => {
  const { policy: _, ...others } = params
  return { params: others, moments }
}

/** Copy a state from the device. It is to be done before the next step, which writes over it. */
export const takeSnapshot =
  (device: Device, specs: NetSpecs) =>
  (state: TrainState<NetSpecs>): TE.TaskEither<TrainError, Snapshot> =>
    pipe(
      TE.Do,
      TE.bind('policy', () => readTree(device)(specs.policy, state.params.policy)),
      TE.bind('others', () => readTree(device)<unknown>(restSpecs(specs), partsOf(state))),
      TE.map(({ policy, others }) => ({
        policy,
        rest: new Map(leavesLike(isSpec, isValue)(restSpecs(specs), others).map(({ path, value }) => [path, value])),
      })),
    )

/** Copy a state to the device. */
export const holdSnapshot =
  (device: Device, specs: NetSpecs) =>
  ({ policy, rest }: Snapshot, updates: number): TE.TaskEither<TrainError, TrainState<NetSpecs>> => {
    const others = restSpecs(specs)
    const values = mapTree(isSpec)((_, path) => rest.get(path))(others) as ValuesOf<typeof others>
    return pipe(
      TE.Do,
      TE.bind('params', () => holdTree(device)(specs, { ...values.params, policy })),
      TE.bind('moments', () => holdTree(device)(others.moments, values.moments)),
      TE.map(({ params, moments }) => ({ step: updates, params, moments })),
    )
  }
