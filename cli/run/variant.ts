import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { ConfigError } from './config-error.js'
import { taskAt } from './config.js'
import type { Draft } from './defaults.js'
import type { TaskConfig } from './schema.js'
import { type AnyEnvironment, environmentOf } from './tasks.js'

const hasWordsOf =
  ({ vocabulary }: AnyEnvironment) =>
  (other: AnyEnvironment): boolean =>
    other.vocabulary.length === vocabulary.length && other.vocabulary.every((word, id) => word === vocabulary[id])

/**
 * The task of a run with other settings, for a stage of its warm start or for its evaluation. A policy reads and writes the words of the task
 * that it was made for, so those may not change.
 */
export const variantOf =
  (task: TaskConfig, environment: AnyEnvironment) =>
  (part: Draft, path: readonly string[]): E.Either<NonEmptyArray<ConfigError>, AnyEnvironment> =>
    pipe(
      taskAt(task, part, path),
      E.flatMap((config) => environmentOf(config, path.join('.'))),
      E.filterOrElse(hasWordsOf(environment), ({ vocabulary }): NonEmptyArray<ConfigError> => [
        { tag: 'otherWords', path: path.join('.'), words: vocabulary.length, trained: environment.vocabulary.length },
      ]),
    )
