import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device, Loaded } from '../../../backends/backend.js'
import { type Plan, plan } from '../../../compiler/index.js'
import type { Program, Value } from '../../../dsl/index.js'

export const right = <Err, A>(either: E.Either<Err, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

export const must = async <Err, A>(task: TE.TaskEither<Err, A>): Promise<A> => right(await task())

/** What must be refused. */
export const refused = async <Err, A>(task: TE.TaskEither<Err, A>): Promise<Err> => {
  const done = await task()
  if (E.isRight(done)) throw new Error('nothing was refused')
  return done.left
}

export const planned = <I, S, O>(p: Program<I, S, O>): Plan<I, S, O> => right(plan(p))

export const load = <I, S, O>(device: Device, p: Program<I, S, O>): Promise<Loaded<I, S, O>> => must(device.load(planned(p)))

/** sin 1, sin 2, …: no two alike, of both signs. */
export const some = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: sizes.reduce((p, q) => p * q, 1) }, (_, i) => Math.sin(i + 1)),
})
