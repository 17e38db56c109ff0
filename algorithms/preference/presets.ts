import type { AotConfig } from './aot.js'
import type { DpoConfig } from './dpo.js'

/** The settings under which a system trains on pairs, as data: take one, or spread it and change a field. */
export const dpoPresets = {
  /** jingyaogong/minimind at d65ef2c0. */
  minimind: { beta: 0.15 },
  /** huggingface/trl at f2cd5771, its `sigmoid`. */
  trl: { beta: 0.1 },
  /** TRL's `sigmoid_norm`: by the mean log-ratio of a token. */
  trlSigmoidNorm: { beta: 0.1, within: { count: 'tokens' } },
  /** TRL's `ipo`: by the mean log-ratio of a token, where the paper has the sum. */
  trlIpo: { beta: 0.1, within: { count: 'tokens' }, loss: { tag: 'ipo' } },
  /** TRL's `discopop`. */
  trlDiscopop: { beta: 0.1, loss: { tag: 'discopop', temperature: 0.05 } },
} as const satisfies Readonly<Record<string, DpoConfig>>

/** As TRL's `aot` and `aot_unpaired`. */
export const aotPresets = {
  trl: { beta: 0.1, sorted: 'margins', smoothing: 0 },
  trlUnpaired: { beta: 0.1, sorted: 'responses', smoothing: 0 },
} as const satisfies Readonly<Record<string, AotConfig>>

export type DpoPresetName = keyof typeof dpoPresets
