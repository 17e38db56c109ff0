import { type Key, random } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, type DecoderSpecs, initialParameters, type ValuesOf } from '../../models/index.js'
import type { Environment } from '../../tasks/environment.js'
import { teachingSteps } from '../lessons.js'
import type { NetSpecs } from '../nets.js'
import { type Needs, needsOf, netSpecs, type Recipe, type ReinforcementSettings } from '../reinforcement/index.js'
import type { SupervisedSettings } from '../supervised.js'
import type { Progress } from './progress.js'

/** How a policy is examined. */
export interface EvaluationSettings {
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
  readonly reinforcement: ReinforcementSettings
  readonly recipe: Recipe
  readonly evaluation: EvaluationSettings
}

/** How many steps the warm start has, and how many there are in all. */
export const stepsOf = <S>({ supervised, reinforcement }: RunPlan<S>): { readonly warm: number; readonly all: number } => {
  const warm = teachingSteps(supervised.stages)
  return { warm, all: warm + reinforcement.steps }
}

export const needsIn = <S>({ recipe, reinforcement }: RunPlan<S>): Needs => needsOf(recipe, reinforcement)

/** The nets that a stage trains. */
export const stageSpecs =
  <S>(plan: RunPlan<S>) =>
  (stage: Progress['stage']): NetSpecs =>
    stage === 'supervised' ? { policy: decoderSpecs(plan.model) } : netSpecs(plan.model, needsIn(plan))

/** Keys of a run, each for one purpose. */
export const streamsOf = (seed: number): Readonly<Record<'initial' | 'lessons' | 'reinforcement', Key>> => {
  const root = random.key(seed)
  return { initial: random.fold(root, 0), lessons: random.fold(root, 1), reinforcement: random.fold(root, 2) }
}

/** The policy before its first step. */
export const initialPolicy = <S>({ initial, model, seed }: RunPlan<S>): ValuesOf<DecoderSpecs> =>
  initial ?? initialParameters(model, streamsOf(seed).initial)
