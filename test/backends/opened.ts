import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device, Loaded } from '../../backends/backend.js'
import { type Plan, plan } from '../../compiler/index.js'
import { countOf, type GivenFor, type MadeBy, type Program, type Value } from '../../dsl/index.js'
import { allAgree, errorBounds, renderDisagreement } from '../../verify/error-bound.js'
import { right } from '../right.js'

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
  data: Float32Array.from({ length: countOf(sizes) }, (_, i) => Math.sin(i + 1)),
})

/** Ids into an axis of a size. */
export const ids = (size: number, ...sizes: readonly number[]): Value => ({
  sizes,
  data: Array.from({ length: countOf(sizes) }, (_, i) => (7 * i) % size),
})

/** What a run gives, which is what the reference gives within the bound that it computes. */
export const agreeing = async <I, S, O>(p: Program<I, S, O>, loaded: Loaded<I, S, O>, inputs: GivenFor<I>): Promise<MadeBy<O>> => {
  const made = await must(loaded.run(inputs))
  const agreed = allAgree(right(errorBounds(p, inputs)).outputs, made)
  if (E.isLeft(agreed)) throw new Error(renderDisagreement(agreed.left))
  return made
}
