import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Device } from '../../backends/backend.js'
import type { DecoderConfig } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import type { TrainError } from '../errors.js'
import type { Respond } from '../rollout.js'
import { loadJudge } from '../reward-model/judge.js'
import { loadCriticEstimate, loadGroupEstimate, loadPrice } from './estimates.js'
import type { LossError } from './loss-error.js'
import { loadMemoryEstimate } from './memory.js'
import { type Needs, needsOf, netSpecs } from './needs.js'
import { learningOf } from './objective.js'
import type { Estimates } from './prepare.js'
import type { Recipe } from './recipes.js'
import type { Reinforcement } from './reinforce.js'
import { likelihoods, loadScore, valuesBefore } from './scoring.js'
import type { ReinforcementSettings } from './settings.js'
import { loadUpdate } from './update.js'

/** Why a recipe does not fit the task or the settings, before anything is loaded. */
export const misfit = <S>(recipe: Recipe, environment: Environment<S>, settings: ReinforcementSettings): LossError | undefined => {
  const { microRows } = settings
  if (microRows !== undefined && !recipe.inParts) return { tag: 'notInParts', loss: recipe.name, rows: microRows }
  if (needsOf(recipe, settings).memory && environment.memoryProbes === undefined)
    return { tag: 'noMemory', loss: recipe.name, task: environment.name }
  return undefined
}

/** As many rows as are read at once, where no gradient is taken. */
const mostRead = 256

const loadEstimates = (
  device: Device,
  config: DecoderConfig,
  padId: number,
  needs: Needs,
  settings: ReinforcementSettings,
): TE.TaskEither<TrainError, Estimates> => {
  const { critic, memory, advantages, klReward, oldLogProbs, rewardModel } = settings
  const none = TE.right(undefined)
  const reads = needs.reference || needs.memory || oldLogProbs === 'recomputed'
  return pipe(
    TE.Do,
    TE.bind('group', () => loadGroupEstimate(device, advantages)),
    TE.bind('likelihood', () => (reads ? loadScore(device, padId, mostRead)(likelihoods(config)) : none)),
    TE.bind('score', () => (needs.critic ? loadScore(device, padId, mostRead)(valuesBefore(config)) : none)),
    TE.bind('estimate', () => (needs.critic ? loadCriticEstimate(device, critic, padId) : none)),
    TE.bind('judge', () => (rewardModel === undefined ? none : loadJudge(device, config, rewardModel, padId))),
    TE.bind('price', () => (klReward === 0 ? none : loadPrice(device, klReward, padId))),
    TE.bind('memory', ({ group, likelihood }) =>
      needs.memory && likelihood !== undefined ? loadMemoryEstimate(device, memory, likelihood, group) : none,
    ),
    TE.map(({ group, likelihood, score, estimate, judge, price, memory }) => ({
      ...(judge && { judge }),
      group,
      ...(likelihood && { likelihood }),
      ...(score && estimate && { value: { score, estimate } }),
      ...(price && { price }),
      ...(memory && { memory }),
    })),
  )
}

/** Make reinforcement ready on a device: every program that it runs is compiled here. */
export const loadReinforcement =
  (device: Device, config: DecoderConfig, respond: Respond) =>
  <S>(environment: Environment<S>, recipe: Recipe, settings: ReinforcementSettings): TE.TaskEither<TrainError, Reinforcement<S>> => {
    const needs = needsOf(recipe, settings)
    const { padId } = environment
    const { optimizer, maxNorm, learningRate, microRows, loss } = settings
    const learning = { ...learningOf(config, netSpecs(config, needs), recipe, loss.clip ?? { low: 0.2, high: 0.2 }), optimizer, maxNorm }
    return pipe(
      TE.Do,
      TE.bind('estimates', () => loadEstimates(device, config, padId, needs, settings)),
      TE.bind('update', () => loadUpdate(device, learning, () => learningRate, { padId, inParts: microRows !== undefined })),
      TE.map(({ estimates, update }) => ({ environment, settings, loss: recipe.name, inputs: recipe.inputs, respond, estimates, update })),
    )
  }
