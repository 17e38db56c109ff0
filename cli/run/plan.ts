import * as E from 'fp-ts/lib/Either.js'
import type { NonEmptyArray } from 'fp-ts/lib/NonEmptyArray.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { presets } from '../../algorithms/index.js'
import {
  misfit,
  type ModelFiles,
  type Recipe,
  recipeOf,
  type ReinforcementSettings,
  type RewardModelSettings,
  type RunPlan,
  type SupervisedSettings,
} from '../../training/index.js'
import { loadRecipe, type OwnRecipe } from '../recipe.js'
import { defined } from './defined.js'
import type { RunCommandError } from './error.js'
import { groundOf } from './ground.js'
import type { RunConfig } from './schema.js'
import type { AnyEnvironment } from './tasks.js'
import { variantOf } from './variant.js'

/** All that a run does, and what its model is written as. */
export interface Prepared {
  readonly config: RunConfig
  readonly plan: RunPlan<unknown>
  readonly model: ModelFiles
  /** Of a loss of the user's own. */
  readonly lossHash?: string
}

type Errors = NonEmptyArray<RunCommandError>
type Made<A> = E.Either<Errors, A>

/** The rewards of a run lie between 0 and 1, and are whitened as verl does. */
const whitening = { ddof: 1, epsilon: 1e-8 } as const

const settingsOf = ({ rewardModel, reinforcement }: RunConfig): ReinforcementSettings => {
  const { algorithm: _a, lossFile: _f, lossName: _n, ...settings } = reinforcement
  return defined({
    ...settings,
    ...(rewardModel && { rewardModel: { weight: rewardModel.weight, most: rewardModel.most } }),
    optimizer: defined(settings.optimizer),
    loss: defined(settings.loss),
    advantages: presets[settings.advantages].advantages,
    critic: { gae: settings.critic, whitening },
  })
}

const comparingOf = ({ rewardModel }: RunConfig): { readonly rewardModel?: RewardModelSettings } => {
  if (rewardModel === undefined) return {}
  const { weight: _w, most: _m, ...learning } = rewardModel
  return { rewardModel: { ...learning, optimizer: defined(learning.optimizer) } }
}

/** A policy that begins as another run left it is not taught again. */
const stagesOf = ({ init, supervised: { stages } }: RunConfig): RunConfig['supervised']['stages'] => (init === 'random' ? stages : [])

const supervisedOf = (config: RunConfig, environment: AnyEnvironment): Made<SupervisedSettings<unknown>> =>
  pipe(
    stagesOf(config).map(({ task = {}, ...stage }, i) => ({ ...stage, i, task })),
    E.traverseArray(({ i, task, ...stage }) =>
      pipe(
        variantOf(config.task, environment)(task, ['supervised', 'stages', String(i), 'task']),
        E.map((environment) => defined({ ...stage, environment })),
      ),
    ),
    E.map((stages) => ({ ...config.supervised, optimizer: defined(config.supervised.optimizer), stages })),
  )

const recipeIn = ({ reinforcement }: RunConfig): TE.TaskEither<Errors, Recipe | OwnRecipe> => {
  const { algorithm, lossFile, lossName, loss } = reinforcement
  return lossFile === undefined
    ? pipe(
        TE.fromEither(recipeOf(algorithm, defined(loss))),
        TE.mapLeft((error): Errors => [{ tag: 'notTrainable', error }]),
      )
    : pipe(
        loadRecipe(lossFile, lossName),
        TE.mapLeft((error): Errors => [error]),
      )
}

const fitting = <R extends Recipe>(recipe: R, environment: AnyEnvironment, settings: ReinforcementSettings): Made<R> => {
  const error = misfit(recipe, environment, settings)
  return error === undefined ? E.right(recipe) : E.left([{ tag: 'notTrainable', error }])
}

/** What a config comes to: its task made, its loss loaded, and each looked at beside the others. */
export const prepareRun = (config: RunConfig): TE.TaskEither<Errors, Prepared> =>
  pipe(
    TE.Do,
    TE.bind('ground', () => TE.fromEither(groundOf(config))),
    TE.bindW('supervised', ({ ground: { environment } }) => TE.fromEither(supervisedOf(config, environment))),
    TE.let('reinforcement', () => settingsOf(config)),
    TE.bindW('recipe', ({ ground: { environment }, reinforcement }) =>
      pipe(
        recipeIn(config),
        TE.flatMapEither((recipe) => fitting(recipe, environment, reinforcement)),
      ),
    ),
    TE.map(({ ground: { environment, model, evaluation }, recipe, ...stages }) => ({
      ...{ config, model, ...('hash' in recipe && { lossHash: recipe.hash }) },
      plan: { seed: config.seed, model: model.config, environment, ...stages, ...comparingOf(config), recipe, evaluation },
    })),
  )
