import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../backends/backend.js'
import {
  type HostTensor,
  i32,
  type Program,
  program,
  type Spec,
  type SpecTree,
  type Tensor,
  type TensorsOf,
  type Value,
} from '../dsl/index.js'
import type { TrainError } from './errors.js'
import type { HeldFor } from './held.js'
import { given, load, type LoadedProgram, run } from './load.js'

/** From token ids [batch, time], the logits [batch, vocab] of the token after the last. */
export type Policy = (tokens: Value) => TE.TaskEither<TrainError, HostTensor>

type Ids = Tensor<'batch' | 'time', 'i32'>

/** From parameters and token ids, the logits of the token after the last. */
export type NextLogits<P> = (params: P, tokens: Ids) => Tensor<'batch' | 'vocab'>

interface PolicyInputs<P> {
  readonly params: P
  readonly tokens: Spec<'batch' | 'time', 'i32'>
}

type PolicyProgram<P> = Program<PolicyInputs<P>, Readonly<Record<never, never>>, { readonly logits: Tensor<'batch' | 'vocab'> }>

const policyProgram = <P extends SpecTree>(parameters: P, nextLogits: NextLogits<TensorsOf<P>>): PolicyProgram<P> =>
  program({ inputs: { params: parameters, tokens: i32('batch', 'time') }, body: saying(nextLogits) })

/** The body of a policy's program, over a tree of tensors. */
const saying =
  <P>(nextLogits: NextLogits<P>) =>
  ({ params, tokens }: { readonly params: P; readonly tokens: Ids }) => ({ outputs: { logits: nextLogits(params, tokens) } })

/** From held parameters, the policy that reads them anew at each call. */
export type PolicyOf<P> = (params: HeldFor<P>) => Policy

const policyOf =
  <P>(loaded: LoadedProgram<PolicyProgram<P>>): PolicyOf<P> =>
  (params) =>
  (tokens) =>
    pipe(
      run('policy', loaded, given<PolicyInputs<P>>({ params, tokens })),
      TE.map(({ logits }) => logits),
    )

/** Make policies ready on a device. */
export const loadPolicy =
  (device: Device) =>
  <P extends SpecTree>(parameters: P, nextLogits: NextLogits<TensorsOf<P>>): TE.TaskEither<TrainError, PolicyOf<P>> =>
    pipe(
      load(device)('policy', policyProgram(parameters, nextLogits)),
      TE.map((loaded) => policyOf<P>(loaded)),
    )
