import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { z } from 'zod'
import type { TokenizerError } from './error.js'

/** What a file's JSON says, if a schema allows it; else all that is wrong. */
export const parseFile =
  <A>(file: string, schema: z.ZodType<A>) =>
  (text: string): E.Either<readonly TokenizerError[], A> =>
    pipe(
      E.tryCatch(
        () => JSON.parse(text) as unknown,
        (because): readonly TokenizerError[] => [{ tag: 'notJson', file, because: String(because) }],
      ),
      E.chain((json) => {
        const { success, data, error } = schema.safeParse(json)
        return success
          ? E.right(data)
          : E.left(error.issues.map(({ path, message }) => ({ tag: 'wrongField', file, path: path.join('.'), because: message })))
      }),
    )
