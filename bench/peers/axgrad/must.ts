import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** A benchmark has nobody to hand a fault to. */
export const must = <A>(either: E.Either<unknown, A>): A => {
  if (E.isLeft(either)) throw new Error(JSON.stringify(either.left))
  return either.right
}

export const mustDo = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => must(await task())
