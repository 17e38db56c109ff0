import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { isNonEmpty } from 'fp-ts/lib/ReadonlyArray.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { lossProgram, programErrors, typeText } from '../dsl/index.js'
import { type Recipe, recipeOfLoss } from '../training/index.js'
import type { CommandError } from './errors.js'
import { type AnyLoss, loadLosses, tracing } from './load.js'

const onlyOne =
  (file: string) =>
  ([first, ...others]: readonly AnyLoss[]): E.Either<CommandError, AnyLoss> =>
    first === undefined || others.length > 0
      ? E.left({ tag: 'severalLosses', asked: '--loss', file, has: [first, ...others].flatMap((loss) => loss?.name ?? []) })
      : E.right(first)

/** A loss that is traced without a fault and is a scalar. */
const scalar = (loss: AnyLoss): E.Either<CommandError, AnyLoss> =>
  pipe(
    tracing(loss, () => lossProgram(loss)),
    E.flatMap((whole): E.Either<CommandError, AnyLoss> => {
      const errors = programErrors(whole)
      if (isNonEmpty(errors)) return E.left({ tag: 'badLoss', name: loss.name, errors })
      const is = typeText(whole.outputs.loss)
      return is === 'f32[]' ? E.right(loss) : E.left({ tag: 'notScalar', name: loss.name, is })
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
export const loadRecipe = (file: string, only?: string): TE.TaskEither<CommandError, Recipe> =>
  pipe(
    loadLosses(file, only),
    TE.flatMapEither(onlyOne(file)),
    TE.flatMapEither((loss) =>
      // What it reads is judged first: a loss of inputs that are no specs cannot be traced.
      pipe(
        trainable(loss),
        E.flatMap((recipe) => E.map(() => recipe)(scalar(loss))),
      ),
    ),
  )
