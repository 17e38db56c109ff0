import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { tokenizerJson } from '../../tasks/index.js'
import type { EvaluationSettings, ModelFiles } from '../../training/index.js'
import { defined } from './defined.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'
import { type AnyEnvironment, environmentOf } from './tasks.js'

/** What a policy is, what it plays, and how it is examined: all of a run but how it learns. */
export interface Ground {
  readonly environment: AnyEnvironment
  readonly model: ModelFiles
  readonly evaluation: EvaluationSettings
}

const modelOf = ({ model }: RunConfig, { vocabulary, stopIds }: AnyEnvironment): ModelFiles => ({
  config: { ...defined(model), vocab: vocabulary.length },
  stopIds,
  tokenizer: `${JSON.stringify(tokenizerJson(vocabulary))}\n`,
})

/** The ground that a config describes. */
export const groundOf = (config: RunConfig): E.Either<NonEmptyArray<RunCommandError>, Ground> =>
  pipe(
    environmentOf(config.task),
    E.map((environment) => ({
      environment,
      model: modelOf(config, environment),
      evaluation: { ...config.evaluation, temperature: config.reinforcement.temperature },
    })),
  )
