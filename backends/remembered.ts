import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'

/** What was made for each of so many keys; for the one that was used longest ago it is made again. */
export const remembered = <A>(most: number): ((key: string, make: () => A) => A) => {
  const known = new Map<string, A>()
  return (key, make) => {
    const value = known.get(key) ?? make()
    known.delete(key)
    known.set(key, value)
    const [oldest] = known.keys()
    if (known.size > most && oldest !== undefined) known.delete(oldest)
    return value
  }
}

/** How many different sizes a program keeps prepared. */
export const mostPrepared = 64

/** A task that is done once; again only where it failed. */
export const onceRight = <L, A>(task: TE.TaskEither<L, A>): TE.TaskEither<L, A> => {
  let done: Promise<E.Either<L, A>> | undefined
  return async () => {
    const result = await (done ??= task())
    if (E.isLeft(result)) done = undefined
    return result
  }
}
