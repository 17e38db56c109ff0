import { type Key, random } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, type DecoderSpecs, initialParameters, judgeSpecs, type ValuesOf } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import { teachingSteps } from '../lessons.js'
import type { TrainedSpecs } from '../nets.js'
import { type Needs, needsOf, netSpecs, type Recipe, type ReinforcementSettings } from '../reinforcement/index.js'
import type { RewardModelSettings } from '../reward-model/index.js'
import type { SupervisedSettings } from '../supervised.js'
import type { Progress, Stage } from './progress.js'

/** How a policy is examined. */
export interface EvaluationSettings<S> {
  /** What is asked: the same task with other settings, or what is trained on if not said. */
  readonly environment?: Environment<S>
  /** Held out, and the same each time. */
  readonly questions: number
  /** Of the answers that are drawn. */
  readonly temperature: number
  /** After how many steps of reinforcement again; 0 for before the first and after the last alone. */
  readonly every: number
}

/** What a run does from its first step to its last. */
export interface RunPlan<S> {
  readonly seed: number
  readonly model: DecoderConfig
  /** What the policy is before its first step; drawn from the seed if not there. */
  readonly initial?: ValuesOf<DecoderSpecs>
  readonly environment: Environment<S>
  readonly supervised: SupervisedSettings<S>
  /** How a model of rewards is taught between the warm start and the reinforcement, where that pays by one. */
  readonly rewardModel?: RewardModelSettings
  readonly reinforcement: ReinforcementSettings
  readonly recipe: Recipe
  readonly evaluation: EvaluationSettings<S>
}

/** Steps that have been at the end of each stage. */
export type StageEnds = Readonly<Record<Stage, number>>

/** After how many steps each stage ends; the last of them has all. */
export const stageEnds = <S>({ supervised, rewardModel, reinforcement }: RunPlan<S>): StageEnds => {
  const warm = teachingSteps(supervised.stages)
  const before = warm + (rewardModel?.steps ?? 0)
  return { supervised: warm, rewardModel: before, reinforcement: before + reinforcement.steps }
}

export const needsIn = <S>({ recipe, reinforcement }: RunPlan<S>): Needs => needsOf(recipe, reinforcement)

/** What each stage trains. */
export const stageSpecs =
  <S>(plan: RunPlan<S>) =>
  (stage: Stage): TrainedSpecs => {
    switch (stage) {
      case 'supervised':
        return { policy: decoderSpecs(plan.model) }
      case 'rewardModel':
        return { rewardModel: judgeSpecs(plan.model) }
      case 'reinforcement':
        return netSpecs(plan.model, needsIn(plan))
    }
  }

/** Where a run is at its very beginning. */
export const beginning: Pick<Progress, 'step' | 'stage' | 'updates' | 'evaluations'> = {
  ...{ step: 0, stage: 'supervised', updates: 0, evaluations: [] },
}

/** Keys of a run, each for one purpose. */
export const streamsOf = (seed: number): Readonly<Record<'initial' | 'lessons' | 'reinforcement' | 'pairs', Key>> => {
  const root = random.key(seed)
  return {
    initial: random.fold(root, 0),
    lessons: random.fold(root, 1),
    reinforcement: random.fold(root, 2),
    pairs: random.fold(root, 3),
  }
}

/** The policy before its first step. */
export const initialPolicy = <S>({ initial, model, seed }: RunPlan<S>): ValuesOf<DecoderSpecs> =>
  initial ?? initialParameters(model, streamsOf(seed).initial)
