import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isNonEmpty } from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { lossProgram, printProgram, programErrors, typeText } from '../dsl/index.js'
import { type Recipe, recipeOfLoss } from '../training/index.js'
import type { CommandError } from './errors.js'
import { type AnyLoss, loadLosses, tracing } from './load.js'

const onlyOne =
  (file: string) =>
  ([first, ...others]: readonly AnyLoss[]): E.Either<CommandError, AnyLoss> =>
    first === undefined || others.length > 0
      ? E.left({ tag: 'severalLosses', asked: '--loss', file, has: [first, ...others].flatMap((loss) => loss?.name ?? []) })
      : E.right(first)

/** The recipe of a loss of somebody's own. */
export interface OwnRecipe extends Recipe {
  /** Of all that the loss computes: another loss has another one, whatever of its text changed. */
  readonly hash: string
}

/** The hash of a loss that is traced without a fault and is a scalar. */
const hashOfScalar = (loss: AnyLoss): E.Either<CommandError, string> =>
  pipe(
    tracing(loss, () => lossProgram(loss)),
    E.flatMap((whole): E.Either<CommandError, string> => {
      const errors = programErrors(whole)
      if (isNonEmpty(errors)) return E.left({ tag: 'badLoss', name: loss.name, errors })
      const is = typeText(whole.outputs.loss)
      return is === 'f32[]'
        ? E.right(createHash('sha256').update(printProgram(whole)).digest('hex'))
        : E.left({ tag: 'notScalar', name: loss.name, is })
    }),
  )

const trainable = (loss: AnyLoss): E.Either<CommandError, Recipe> =>
  pipe(
    recipeOfLoss(loss),
    E.mapLeft((error) => ({ tag: 'notTrainable', error })),
  )

/**
 * What a policy is trained by: the loss that a file exports, of several the one called `only`. Refused where it does not load, has a fault,
 * is no scalar, or reads what a trainer does not have.
 */
export const loadRecipe = (file: string, only?: string): TE.TaskEither<CommandError, OwnRecipe> =>
  pipe(
    loadLosses(file, only),
    TE.flatMapEither(onlyOne(file)),
    TE.flatMapEither((loss) =>
      // What it reads is judged first: a loss of inputs that are no specs cannot be traced.
      pipe(
        trainable(loss),
        E.flatMap((recipe) => E.map((hash: string) => ({ ...recipe, hash }))(hashOfScalar(loss))),
      ),
    ),
  )
