import { type Aggregation, fixedDivisor, rowMeanTokenMean, sequenceMeanTokenMean, tokenMean } from './aggregate.js'
import type { CispoConfig } from './cispo.js'
import type { GaeSettings } from './advantages/gae.js'
import type { GroupSettings } from './groups.js'
import type { GrpoConfig } from './grpo.js'
import type { WhitenSettings } from './advantages/whiten.js'

/** The settings under which a system trains, as data. Nothing else knows its name: take a field, or spread it and change one. */
export interface Preset {
  readonly advantages: GroupSettings
  readonly grpo: GrpoConfig
  readonly cispo: CispoConfig
  /** How advantages come of a critic's values; not there where a system has none. */
  readonly critic?: { readonly gae: GaeSettings; readonly whitening: WhitenSettings }
}

/** verl's mean of a row adds 1e-8 to the number of its tokens. */
export const verlSequenceMean: Aggregation = { ...sequenceMeanTokenMean, within: { count: 'tokens', epsilon: 1e-8 } }

/** verl's mean over tokens in its metrics; its losses divide by the plain number. */
export const verlMaskedMean: Aggregation = { within: 1, across: { count: 'tokens', epsilon: 1e-8 } }

/** verl's masked_whiten, of whatever is whitened there. */
export const verlWhitening: WhitenSettings = { ddof: 1, epsilon: 1e-8, mean: verlMaskedMean }

const verlAdvantages: GroupSettings = { scale: 'deviation', ddof: 1, epsilon: 1e-6, singleton: 'reward' }

const verlCispo: CispoConfig = { bounds: { least: 0.8, most: 1.2 }, beta: 0.001, kl: 'lowVar', aggregation: tokenMean, logRatioLimit: 20 }

const verlGrpo: GrpoConfig = {
  clip: { low: 0.2, high: 0.2 },
  dualClip: 3,
  beta: 0.001,
  kl: 'lowVar',
  aggregation: tokenMean,
  logRatioLimit: 20,
}

export const presets = {
  /** volcengine/verl at b178a3cd: clipped on both sides, low_var_kl, mean over tokens. */
  verl: {
    advantages: verlAdvantages,
    grpo: verlGrpo,
    cispo: verlCispo,
    critic: { gae: { gamma: 1, lambda: 1 }, whitening: verlWhitening },
  },
  /** MemPO on verl. What the paper leaves open is as in verl. */
  mempo: { advantages: verlAdvantages, grpo: verlGrpo, cispo: verlCispo },
  /** huggingface/trl at f2cd5771: no reference policy, mean over tokens (DAPO's). */
  trl: {
    advantages: { scale: 'deviation', ddof: 1, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: { low: 0.2, high: 0.2 }, beta: 0, kl: 'k3', aggregation: tokenMean },
    cispo: { bounds: { most: 5 }, beta: 0, kl: 'k3', aggregation: tokenMean },
    critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 1, epsilon: 1e-8 } },
  },
  /** jingyaogong/minimind at d65ef2c0: the mean of a row's mean over all rows, k3 without a clamp. */
  minimind: {
    advantages: { scale: 'deviation', ddof: 0, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: { low: 0.2, high: 0.2 }, beta: 0.1, kl: 'k3', aggregation: rowMeanTokenMean },
    cispo: { bounds: { most: 5 }, beta: 0.1, kl: 'k3', aggregation: rowMeanTokenMean },
    critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 0, epsilon: 1e-8 } },
  },
  /** MiniMind's agent: rows without a response token leave the mean. */
  minimindAgent: {
    advantages: { scale: 'deviation', ddof: 0, epsilon: 1e-4, singleton: 'zero' },
    grpo: { clip: { low: 0.2, high: 0.2 }, beta: 0.1, kl: 'k3', aggregation: sequenceMeanTokenMean },
    cispo: { bounds: { most: 5 }, beta: 0.1, kl: 'k3', aggregation: sequenceMeanTokenMean },
  },
  /** Dr. GRPO, arXiv:2503.20783: neither the deviation nor a response's length divides. */
  drGrpo: {
    advantages: { scale: 'one', ddof: 1, epsilon: 0, singleton: 'zero' },
    grpo: { clip: { low: 0.2, high: 0.2 }, beta: 0, aggregation: fixedDivisor() },
    cispo: { bounds: { most: 5 }, beta: 0, aggregation: fixedDivisor() },
  },
} as const satisfies Readonly<Record<string, Preset>>

export type PresetName = keyof typeof presets
