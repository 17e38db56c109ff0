import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { exit } from '../arguments.js'
import { renderRunCommandError, type RunCommandError } from './error.js'

type Errors = NonEmptyArray<RunCommandError>

/** What was begun and failed, apart from what could not begin as it was told. */
const codeOf = (error: RunCommandError): number => {
  if (error.tag !== 'fault') return exit.badUsage
  return error.fault.tag === 'training' || error.fault.error.tag === 'cannotWrite' ? exit.failed : exit.badUsage
}

/** Say why a command of a run did not start or ended, and give the code that it ends with. */
export const endWith = (errors: Errors): number => {
  console.error(errors.map(renderRunCommandError).join('\n'))
  return Math.max(...errors.map(codeOf))
}

/** The end of a command that makes something to print. */
export const endPrinting =
  <A>(print: (made: A) => string) =>
  (made: E.Either<Errors, A>): number => {
    if (E.isLeft(made)) return endWith(made.left)
    console.log(print(made.right))
    return exit.passed
  }
