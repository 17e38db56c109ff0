import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { z } from 'zod'
import type { CheckpointError } from './error.js'

export type Errors = NonEmptyArray<CheckpointError>

/** What a file's JSON says, if a schema allows it; else all that is wrong. */
export const parseJson =
  <A>(file: string, schema: z.ZodType<A>) =>
  (text: string): E.Either<Errors, A> =>
    pipe(
      E.tryCatch(
        () => JSON.parse(text) as unknown,
        (because): Errors => [{ tag: 'notJson', file, because: String(because) }],
      ),
      E.chain((json) => {
        const { success, data, error } = schema.safeParse(json)
        if (success) return E.right(data)
        const [first, ...others] = error.issues.map(({ path, message }): CheckpointError => ({
          tag: 'wrongField',
          file,
          path: path.join('.'),
          because: message,
        }))
        return E.left<Errors>([first ?? { tag: 'wrongField', file, path: '', because: error.message }, ...others])
      }),
    )
