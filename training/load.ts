import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device, Loaded } from '../backends/backend.js'
import { plan } from '../compiler/index.js'
import type { GivenFor, MadeBy, Program } from '../dsl/index.js'
import type { TrainError } from './errors.js'

export type LoadedProgram<X> = X extends Program<infer I, infer S, infer O> ? Loaded<I, S, O> : never

/** Plan a program and make it ready on a device; its name is for people. */
export const load =
  (device: Device) =>
  <I, S, O>(name: string, program: Program<I, S, O>): TE.TaskEither<TrainError, Loaded<I, S, O>> =>
    pipe(
      plan(program),
      E.mapLeft((errors): TrainError => ({ tag: 'notPlanned', program: name, errors })),
      TE.fromEither,
      TE.chain((planned) =>
        pipe(
          device.load(planned),
          TE.mapLeft((error): TrainError => ({ tag: 'refused', program: name, error })),
        ),
      ),
    )

/**
 * A record of values as the tree of values that a record of specs asks for. Where a branch of the specs is any tree, TypeScript does
 * not see that the whole is a record and no spec; here alone it is told so.
 */
export const given = <S>(values: { readonly [K in keyof S]: GivenFor<S[K]> }): GivenFor<S> => values as GivenFor<S>

/** Run a loaded program. */
export const run = <I, S, O>(
  name: string,
  loaded: Loaded<I, S, O>,
  inputs: GivenFor<I>,
  state?: GivenFor<S>,
): TE.TaskEither<TrainError, MadeBy<O>> =>
  pipe(
    loaded.run(inputs, state),
    TE.mapLeft((errors): TrainError => ({ tag: 'runFailed', program: name, errors })),
  )
