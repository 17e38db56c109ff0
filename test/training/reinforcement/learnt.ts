import { presets } from '../../../algorithms/index.js'
import type { Device } from '../../../backends/backend.js'
import { leaves, random } from '../../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters, type JudgeSpecs, newJudge } from '../../../models/index.js'
import type { recall } from '../../../tasks/index.js'
import type { Environment } from '../../../tasks/index.js'
import {
  type HeldFor,
  holdTree,
  initialState,
  loadReinforcement,
  loadRespond,
  needsOf,
  netSpecs,
  readTree,
  recipeOf,
  reinforce,
  type Reinforced,
  type ReinforcementSettings,
  renderTrainError,
  type Respond,
  type StepMetrics,
  stepMetrics,
} from '../../../training/index.js'
import { isValue } from '../../is-value.js'
import { right as orThrow } from '../../right.js'
import { right } from '../tiny.js'
import { recalling } from '../../tasks/recalling.js'

/** Pays for what a new policy does by chance, as being right is not: each even id that it writes. */
export const task: Environment<recall.RecallState> = {
  ...recalling({ names: 2 }),
  reward: ({ memory = [], response = [] }) => ({ value: [...memory, ...response].filter((id) => id % 2 === 0).length, parts: {} }),
}

export const base: ReinforcementSettings = {
  ...{ steps: 2, questions: 3, answers: 4, temperature: 1, learningRate: 0.01, optimizer: {}, maxNorm: 1 },
  ...{ epochs: 2, miniBatches: 2, oldLogProbs: 'rollout', loss: {}, klReward: 0 },
  advantages: presets.trl.advantages,
  critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 1, epsilon: 1e-8 } },
  memory: { answer: 'gold', mean: 'geometric', baseline: 'none' },
}

const numbers = (tree: unknown): readonly number[] => leaves(isValue)(tree).flatMap(({ value }) => [...value.data])

/** What stands between a policy and what it learns from. */
export interface Between {
  readonly heard?: (ready: () => Promise<Respond>) => Promise<Respond>
  readonly rewardModel?: HeldFor<JudgeSpecs>
  /** Whether somebody forgets the reference. */
  readonly isUnreferenced?: boolean
}

/** Two steps of an algorithm: what each did, and the parameters afterwards. */
export const learnt = async <S>(
  device: Device,
  environment: Environment<S>,
  algorithm: string,
  changed: Partial<ReinforcementSettings> = {},
  { heard = (ready) => ready(), rewardModel, isUnreferenced = false }: Between = {},
) => {
  const config: DecoderConfig = { vocab: environment.vocabulary.length, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }
  const settings = { ...base, ...changed }
  const recipe = orThrow(recipeOf(algorithm, settings.loss))
  const needs = needsOf(recipe, settings)
  const [specs, policy] = [decoderSpecs(config), initialParameters(config, random.key(1))]
  const respond = await heard(async () => right(await loadRespond(device)(config)()))
  const reinforcement = right(await loadReinforcement(device, config, respond)(environment, recipe, settings)())
  const frozen = {
    ...(needs.reference && !isUnreferenced && { reference: right(await holdTree(device)(specs, policy)()) }),
    ...(rewardModel && { rewardModel }),
  }
  let nets = right(
    await initialState(device)(netSpecs(config, needs), { policy, ...(needs.critic && { critic: newJudge(config, policy) }) })(),
  )
  const reports: Reinforced<S>[] = []
  const metrics: StepMetrics[] = []
  for (let step = 0; step < settings.steps; step++) {
    const made = await reinforce(reinforcement)({ nets, ...frozen }, random.fold(random.key(2), step))()
    const { nets: next, report } = orThrow(made, ({ error }) => renderTrainError(error))
    nets = next
    reports.push(report)
    metrics.push(stepMetrics(step + 1, report))
  }
  return { reports, metrics, params: numbers(right(await readTree(device)(netSpecs(config, needs), nets.params)())) }
}
