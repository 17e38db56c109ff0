import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { presets } from '../../algorithms/index.js'
import { tokenizerJson } from '../../tasks/index.js'
import {
  misfit,
  type ModelFiles,
  type Recipe,
  recipeOf,
  type ReinforcementSettings,
  type RunPlan,
  type SupervisedSettings,
} from '../../training/index.js'
import { loadRecipe } from '../recipe.js'
import { stageTask } from './config.js'
import { defined } from './defined.js'
import type { RunCommandError } from './error.js'
import type { RunConfig } from './schema.js'
import { type AnyEnvironment, environmentOf } from './tasks.js'

/** All that a run does, and what its model is written as. */
export interface Prepared {
  readonly config: RunConfig
  readonly plan: RunPlan<unknown>
  readonly model: ModelFiles
}

type Made<A> = E.Either<NonEmptyArray<RunCommandError>, A>

/** The rewards of a run lie between 0 and 1, and are whitened as verl does. */
const whitening = { ddof: 1, epsilon: 1e-8 } as const

const settingsOf = ({ reinforcement: { algorithm: _a, lossFile: _f, ...settings } }: RunConfig): ReinforcementSettings =>
  defined({
    ...settings,
    optimizer: defined(settings.optimizer),
    loss: defined(settings.loss),
    advantages: presets[settings.advantages].advantages,
    critic: { gae: settings.critic, whitening },
  })

/** A policy that begins as another run left it is not taught again. */
const stagesOf = ({ init, supervised: { stages } }: RunConfig): RunConfig['supervised']['stages'] => (init === 'random' ? stages : [])

const supervisedOf = (config: RunConfig): Made<SupervisedSettings<unknown>> =>
  pipe(
    stagesOf(config).map(({ task = {}, ...stage }, i) => ({ ...stage, i, task })),
    E.traverseArray(({ i, task, ...stage }) =>
      pipe(
        stageTask(config.task, task, i),
        E.flatMap(environmentOf),
        E.map((environment) => defined({ ...stage, environment })),
      ),
    ),
    E.map((stages) => ({ ...config.supervised, optimizer: defined(config.supervised.optimizer), stages })),
  )

const recipeIn = ({ reinforcement: { algorithm, lossFile, loss } }: RunConfig): TE.TaskEither<NonEmptyArray<RunCommandError>, Recipe> =>
  lossFile === undefined
    ? pipe(
        TE.fromEither(recipeOf(algorithm, defined(loss))),
        TE.mapLeft((error): NonEmptyArray<RunCommandError> => [{ tag: 'notTrainable', error }]),
      )
    : pipe(
        loadRecipe(lossFile),
        TE.mapLeft((error): NonEmptyArray<RunCommandError> => [error]),
      )

const fitting = (recipe: Recipe, environment: AnyEnvironment, settings: ReinforcementSettings): Made<Recipe> => {
  const error = misfit(recipe, environment, settings)
  return error === undefined ? E.right(recipe) : E.left([{ tag: 'notTrainable', error }])
}

/** What a config comes to: its task made, its loss loaded, and each looked at beside the others. */
export const prepareRun = (config: RunConfig): TE.TaskEither<NonEmptyArray<RunCommandError>, Prepared> =>
  pipe(
    TE.Do,
    TE.bind('environment', () => TE.fromEither(environmentOf(config.task))),
    TE.bindW('supervised', () => TE.fromEither(supervisedOf(config))),
    TE.let('reinforcement', () => settingsOf(config)),
    TE.bindW('recipe', ({ environment, reinforcement }) =>
      pipe(
        recipeIn(config),
        TE.flatMapEither((recipe) => fitting(recipe, environment, reinforcement)),
      ),
    ),
    TE.map(({ environment, supervised, reinforcement, recipe }) => {
      const model = { ...defined(config.model), vocab: environment.vocabulary.length }
      const evaluation = { ...config.evaluation, temperature: reinforcement.temperature }
      return {
        config,
        plan: { seed: config.seed, model, environment, supervised, reinforcement, recipe, evaluation },
        model: {
          config: model,
          stopIds: environment.stopIds,
          tokenizer: `${JSON.stringify(tokenizerJson(environment.vocabulary))}\n`,
        },
      }
    }),
  )
