import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { z } from 'zod'

/** What is wrong with the JSON of a model's file. */
export type JsonError =
  | { readonly tag: 'notJson'; readonly file: string; readonly because: string }
  | { readonly tag: 'wrongField'; readonly file: string; readonly path: string; readonly because: string }

/** What a file's JSON says, if a schema allows it; else all that is wrong. */
export const parseJson =
  <A>(file: string, schema: z.ZodType<A>) =>
  (text: string): E.Either<NonEmptyArray<JsonError>, A> =>
    pipe(
      E.tryCatch(
        () => JSON.parse(text) as unknown,
        (because): NonEmptyArray<JsonError> => [{ tag: 'notJson', file, because: String(because) }],
      ),
      E.chain((json) => {
        const { success, data, error } = schema.safeParse(json)
        if (success) return E.right(data)
        const [first, ...others] = error.issues.map(({ path, message }): JsonError => ({
          tag: 'wrongField',
          file,
          path: path.join('.'),
          because: message,
        }))
        return E.left<NonEmptyArray<JsonError>>([first ?? { tag: 'wrongField', file, path: '', because: error.message }, ...others])
      }),
    )
