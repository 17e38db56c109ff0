import * as E from 'fp-ts/lib/Either.js'

/** What went well; what did not is thrown as JSON, or as `render` says. */
export const right = <Err, A>(either: E.Either<Err, A>, render: (error: Err) => string = (error) => JSON.stringify(error, null, 2)): A => {
  if (E.isLeft(either)) throw new Error(render(either.left))
  return either.right
}
