import type { AnswerMean, GroupSettings } from '../../algorithms/index.js'
import type { AdamWSettings } from '../adamw.js'
import type { ProbedAnswer } from '../../tasks/environment.js'
import type { JudgeSettings } from '../reward-model/judge.js'
import type { CriticSettings } from './estimates.js'
import type { LossSettings } from './configured.js'

/** What a memory is compared with: the whole history, the share of the answer that was found by then, or nothing. */
export type MemoryBaseline = 'full' | 'found' | 'none'

export interface MemorySettings {
  readonly answer: ProbedAnswer
  readonly mean: AnswerMean
  readonly baseline: MemoryBaseline
}

/** How a policy is reinforced. */
export interface ReinforcementSettings {
  readonly steps: number
  /** Problems a step, and how often each is played. */
  readonly questions: number
  readonly answers: number
  readonly temperature: number
  /** As `respond` has them: only so many of the most likely tokens are drawn, or as many as have this probability together; all if not said. */
  readonly topK?: number
  readonly topP?: number
  readonly learningRate: number
  readonly optimizer: AdamWSettings
  /** The greatest global norm of a gradient. */
  readonly maxNorm: number
  /** How often a step's rows are gone through, each time shuffled and in so many updates. */
  readonly epochs: number
  readonly miniBatches: number
  /** The most rows that are run at once; the gradient of a mini-batch is that of all its rows whatever it is. */
  readonly microRows?: number
  /** Whose log-probabilities are the old ones: the rollout's, or those of the policy that reads the answers again. */
  readonly oldLogProbs: 'rollout' | 'recomputed'
  readonly loss: LossSettings
  /** How a frozen model of rewards pays, beside the task; none if not said. */
  readonly rewardModel?: JudgeSettings
  /** What a nat of KL to the reference costs in the reward; 0 for nothing. */
  readonly klReward: number
  /** The approximate KL to the policy that sampled, in nats, above which no update is made and the rest of a step's are left out. */
  readonly mostKl?: number
  readonly advantages: GroupSettings
  readonly critic: CriticSettings
  readonly memory: MemorySettings
}
