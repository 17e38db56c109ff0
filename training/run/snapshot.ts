import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import { isSpec, leaves, leavesLike, mapTree, type Value } from '../../dsl/index.js'
import type { DecoderSpecs, ValuesOf } from '../../models/index.js'
import type { TrainError } from '../errors.js'
import { holdTree, isValue, readTree } from '../held.js'
import type { NetSpecs, TrainedSpecs } from '../nets.js'
import type { TrainState } from '../train-state.js'

/** The state of a run, as the host has it. */
export interface Snapshot {
  readonly policy: ValuesOf<DecoderSpecs>
  /** What else is trained, and the moments of all that is, by their paths. */
  readonly rest: ReadonlyMap<string, Value>
}

type Rest = Snapshot['rest']

const withoutPolicy = ({ policy: _, ...others }: Readonly<Record<string, unknown>>): unknown => others

/** All that training changes, the policy apart. */
const restSpecs = (specs: TrainedSpecs) => ({ params: withoutPolicy(specs), moments: { mean: specs, square: specs } })

/** What a checkpoint has besides the policy, by path. */
export const restLeaves = (specs: TrainedSpecs) => leaves(isSpec)(restSpecs(specs))

/** Copy all but the policy from the device. */
export const takeRest =
  (device: Device, specs: TrainedSpecs) =>
  ({ params, moments }: TrainState<TrainedSpecs>): TE.TaskEither<TrainError, Rest> =>
    pipe(
      readTree(device)<unknown>(restSpecs(specs), { params: withoutPolicy(params), moments }),
      TE.map((rest) => new Map(leavesLike(isSpec, isValue)(restSpecs(specs), rest).map(({ path, value }) => [path, value]))),
    )

/** Copy the state of nets with a policy from the device. It is to be done before the next step, which writes over it. */
export const takeSnapshot =
  (device: Device, specs: NetSpecs) =>
  (state: TrainState<NetSpecs>): TE.TaskEither<TrainError, Snapshot> =>
    pipe(
      TE.Do,
      TE.bind('policy', () => readTree(device)(specs.policy, state.params.policy)),
      TE.bind('rest', () => takeRest(device, specs)(state)),
    )

const valuesIn = (specs: TrainedSpecs, rest: Rest) =>
  mapTree(isSpec)((_, path) => rest.get(path))(restSpecs(specs)) as { readonly params: object; readonly moments: object }

/** What a snapshot has of the parameters besides the policy. */
export const restParams = <P extends TrainedSpecs>(specs: P, { rest }: Snapshot): ValuesOf<Omit<P, 'policy'>> =>
  valuesIn(specs, rest).params as ValuesOf<Omit<P, 'policy'>>

/** Copy a state to the device, as it was after so many updates. */
export const holdSnapshot =
  <P extends TrainedSpecs>(device: Device, specs: P) =>
  ({ policy, rest }: Snapshot, updates: number): TE.TaskEither<TrainError, TrainState<P>> => {
    const { params, moments } = valuesIn(specs, rest)
    return pipe(
      TE.Do,
      TE.bind('params', () => holdTree(device)(specs, 'policy' in specs ? { ...params, policy } : params)),
      TE.bind('moments', () => holdTree(device)({ mean: specs, square: specs }, moments)),
      TE.map((held) => ({ step: updates, ...held })),
    )
  }
