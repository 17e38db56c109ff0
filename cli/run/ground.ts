import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import { tokenizerJson } from '../../tasks/index.js'
import type { EvaluationSettings, ModelFiles } from '../../training/index.js'
import { defined } from './defined.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'
import { type AnyEnvironment, environmentOf } from './tasks.js'
import { variantOf } from './variant.js'

/** What a policy is, what it plays, and how it is examined: all of a run but how it learns. */
export interface Ground {
  readonly environment: AnyEnvironment
  readonly model: ModelFiles
  readonly evaluation: Required<EvaluationSettings<unknown>>
}

const modelOf = ({ model }: RunConfig, { vocabulary, stopIds }: AnyEnvironment): ModelFiles => ({
  config: { ...defined(model), vocab: vocabulary.length },
  stopIds,
  tokenizer: `${JSON.stringify(tokenizerJson(vocabulary))}\n`,
})

/** How a policy is examined: on the task that it is trained on, or on what the config says in its place. */
const evaluationOf = (
  { task, evaluation: { task: part, ...evaluation }, reinforcement: { temperature } }: RunConfig,
  environment: AnyEnvironment,
): E.Either<NonEmptyArray<RunCommandError>, Ground['evaluation']> =>
  pipe(
    part === undefined ? E.right(environment) : variantOf(task, environment)(part, ['evaluation', 'task']),
    E.map((examined) => ({ ...evaluation, temperature, environment: examined })),
  )

/** The ground that a config describes. */
export const groundOf = (config: RunConfig): E.Either<NonEmptyArray<RunCommandError>, Ground> =>
  pipe(
    environmentOf(config.task),
    E.bindTo('environment'),
    E.bind('evaluation', ({ environment }) => evaluationOf(config, environment)),
    E.map((made) => ({ ...made, model: modelOf(config, made.environment) })),
  )
