import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { setTimeout } from 'node:timers/promises'
import type { Device, Loaded } from '../backends/backend.js'
import { plan } from '../compiler/index.js'
import type { GivenFor, MadeBy, Program } from '../dsl/index.js'
import type { TrainError } from './errors.js'

export type LoadedProgram<X> = X extends Program<infer I, infer S, infer O> ? Loaded<I, S, O> : never

/** Is told which program is going to be compiled, and gives what is to be called when it is ready. */
export type Announce = (program: string) => () => void

interface Announcing {
  readonly announce?: Announce
}

/** A device on which each program is announced before it is compiled: that holds the thread, for seconds where the machine is slow. */
export const announcing = (device: Device, announce: Announce): Device & Announcing => ({ ...device, announce })

/** The timers that are due have their turn, so that a display lives. */
const turn: TE.TaskEither<never, unknown> = TE.fromTask(() => setTimeout(1))

const compiled = <I, S, O>(device: Device, name: string, program: () => Program<I, S, O>): TE.TaskEither<TrainError, Loaded<I, S, O>> =>
  pipe(
    turn,
    TE.flatMapEither(() => plan(program())),
    TE.mapLeft((errors): TrainError => ({ tag: 'notPlanned', program: name, errors })),
    TE.tap(() => turn),
    TE.flatMap((planned) =>
      pipe(
        device.load(planned),
        TE.mapLeft((error): TrainError => ({ tag: 'refused', program: name, error })),
      ),
    ),
  )

/** Build a program, plan it and make it ready on a device; its name is for people. */
export const load =
  (device: Device & Announcing) =>
  <I, S, O>(name: string, program: () => Program<I, S, O>): TE.TaskEither<TrainError, Loaded<I, S, O>> =>
  async () => {
    const ready = device.announce?.(name)
    const made = await compiled(device, name, program)()
    ready?.()
    return made
  }

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
