import type { GaeSettings } from './advantages/gae.js'
import type { WhitenSettings } from './advantages/whiten.js'
import { type Aggregation, fixedDivisor, rowMeanTokenMean, sequenceMeanTokenMean, sequenceMeanTokenSum, tokenMean } from './aggregate.js'
import type { CispoConfig } from './cispo.js'
import type { ClipCovConfig, KlCovConfig } from './covariance.js'
import type { DistillationConfig } from './distillation.js'
import type { GmpoConfig } from './gmpo.js'
import type { GroupSettings } from './groups.js'
import type { GrpoConfig } from './grpo.js'
import type { GspoConfig } from './gspo.js'
import type { ObjectiveConfig } from './objective.js'
import type { PpoConfig } from './ppo.js'
import type { RlooConfig } from './rloo.js'
import type { RolloutWeightConfig } from './rollout-weights.js'
import type { SapoConfig } from './sapo.js'
import type { ValueConfig } from './value.js'
import type { VespoConfig } from './vespo.js'

/** The settings under which a system trains, as data. Nothing else knows its name: take a field, or spread it and change one. */
export interface Preset {
  readonly advantages: GroupSettings
  readonly grpo: GrpoConfig
  readonly cispo: CispoConfig
  /** How advantages come of a critic's values, and how it learns. This and the others are not there where a system has none. */
  readonly critic?: { readonly gae: GaeSettings; readonly whitening: WhitenSettings; readonly value: ValueConfig }
  readonly ppo?: PpoConfig
  readonly gspo?: GspoConfig
  readonly gmpo?: GmpoConfig
  readonly sapo?: SapoConfig
  readonly vespo?: VespoConfig
  readonly luspo?: GspoConfig
  readonly reinforce?: Omit<ObjectiveConfig, 'logRatioLimit'>
  readonly klCov?: KlCovConfig
  /** Without its key, which serves one draw. */
  readonly clipCov?: Omit<ClipCovConfig, 'key'>
  readonly rloo?: RlooConfig
  readonly distillation?: DistillationConfig
  /** How tokens are weighed that a rollout engine of slightly other numbers sampled. */
  readonly rolloutWeights?: RolloutWeightConfig
}

/** verl's mean of a row adds 1e-8 to the number of its tokens. */
export const verlSequenceMean: Aggregation = { ...sequenceMeanTokenMean, within: { count: 'tokens', epsilon: 1e-8 } }

/** verl's mean over tokens in its metrics; its losses divide by the plain number. */
export const verlMaskedMean: Aggregation = { within: 1, across: { count: 'tokens', epsilon: 1e-8 } }

/** verl's masked_whiten, of whatever is whitened there. */
export const verlWhitening: WhitenSettings = { ddof: 1, epsilon: 1e-8, mean: verlMaskedMean }

/** Both sides of a ratio, or of a log-ratio. */
const twoTenths = { low: 0.2, high: 0.2 }

const verlAdvantages: GroupSettings = { scale: 'deviation', ddof: 1, epsilon: 1e-6, singleton: 'reward' }

const verlCispo: CispoConfig = { bounds: { least: 0.8, most: 1.2 }, beta: 0.001, kl: 'lowVar', aggregation: tokenMean, logRatioLimit: 20 }

const verlGrpo: GrpoConfig = {
  clip: twoTenths,
  dualClip: 3,
  beta: 0.001,
  kl: 'lowVar',
  aggregation: tokenMean,
  logRatioLimit: 20,
}

const verlKl = { beta: 0.001, kl: 'lowVar' } as const

/** Of whole responses and of soft gates verl always takes the mean of rows. */
const verlLosses = {
  gspo: { ...verlKl, clip: twoTenths, level: 'token', ceiling: 10, aggregation: verlSequenceMean },
  gmpo: { clip: twoTenths, aggregation: { ...rowMeanTokenMean, within: verlSequenceMean.within } },
  sapo: { ...verlKl, temperature: { positive: 1, negative: 1.05 }, aggregation: verlSequenceMean, logRatioLimit: 20 },
  reinforce: { ...verlKl, aggregation: sequenceMeanTokenSum },
  klCov: { ...verlKl, share: 2e-4, coefficient: 1, aggregation: tokenMean },
  clipCov: { ...verlKl, clip: twoTenths, share: 2e-4, least: 1, most: 5, aggregation: tokenMean },
  rolloutWeights: { level: 'token', most: 2 },
} as const

const trlLosses = {
  ppo: {
    policy: { clip: twoTenths, beta: 0, aggregation: tokenMean },
    value: { clip: 0.2, aggregation: tokenMean },
    valueCoefficient: 0.1,
  },
  gspo: { clip: twoTenths, level: 'sequence', beta: 0, aggregation: tokenMean },
  gmpo: { clip: { low: 0.4, high: 0.4 }, aggregation: rowMeanTokenMean },
  sapo: { temperature: { positive: 1, negative: 1.05 }, beta: 0, aggregation: rowMeanTokenMean },
  vespo: { positive: { k: 2, lambda: 3 }, negative: { k: 3, lambda: 2 }, throughWeight: true, beta: 0, aggregation: tokenMean },
  luspo: { clip: twoTenths, level: 'sequence', beta: 0, aggregation: { within: 1, across: { count: 'rows' } } },
  rloo: { clip: twoTenths },
  rolloutWeights: { level: 'sequence', most: 3, beyond: 'drop' },
} as const

export const presets = {
  /** volcengine/verl at b178a3cd: clipped on both sides, low_var_kl, mean over tokens. */
  verl: {
    advantages: verlAdvantages,
    grpo: verlGrpo,
    cispo: verlCispo,
    critic: { gae: { gamma: 1, lambda: 1 }, whitening: verlWhitening, value: { clip: 0.5, aggregation: tokenMean } },
    ...verlLosses,
  },
  /** MemPO on verl. What the paper leaves open is as in verl. */
  mempo: { advantages: verlAdvantages, grpo: verlGrpo, cispo: verlCispo },
  /** huggingface/trl at f2cd5771: no reference policy, mean over tokens (DAPO's). */
  trl: {
    advantages: { scale: 'deviation', ddof: 1, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: twoTenths, beta: 0, kl: 'k3', aggregation: tokenMean },
    cispo: { bounds: { most: 5 }, beta: 0, kl: 'k3', aggregation: tokenMean },
    critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 1, epsilon: 1e-8 }, value: trlLosses.ppo.value },
    ...trlLosses,
  },
  /** jingyaogong/minimind at d65ef2c0: the mean of a row's mean over all rows, k3 without a clamp. */
  minimind: {
    advantages: { scale: 'deviation', ddof: 0, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: twoTenths, beta: 0.1, kl: 'k3', aggregation: rowMeanTokenMean },
    cispo: { bounds: { most: 5 }, beta: 0.1, kl: 'k3', aggregation: rowMeanTokenMean },
    critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 0, epsilon: 1e-8 }, value: { clip: 0.2, aggregation: tokenMean } },
    ppo: {
      policy: { clip: twoTenths, beta: 0.02, kl: 'k3', aggregation: tokenMean },
      value: { clip: 0.2, aggregation: tokenMean },
      valueCoefficient: 0.5,
    },
    distillation: { temperature: 1, aggregation: tokenMean },
  },
  /** MiniMind's agent: rows without a response token leave the mean. */
  minimindAgent: {
    advantages: { scale: 'deviation', ddof: 0, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: twoTenths, beta: 0.1, kl: 'k3', aggregation: sequenceMeanTokenMean },
    cispo: { bounds: { most: 5 }, beta: 0.1, kl: 'k3', aggregation: sequenceMeanTokenMean },
  },
  /** Dr. GRPO, arXiv:2503.20783: neither the deviation nor a response's length divides. */
  drGrpo: {
    advantages: { scale: 'one', ddof: 1, epsilon: 0, singleton: 'zero' },
    grpo: { clip: twoTenths, beta: 0, aggregation: fixedDivisor() },
    cispo: { bounds: { most: 5 }, beta: 0, aggregation: fixedDivisor() },
  },
} as const satisfies Readonly<Record<string, Preset>>

export type PresetName = keyof typeof presets
