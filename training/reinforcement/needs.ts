import { type DecoderConfig, decoderSpecs, judgeSpecs } from '../../models/index.js'
import type { NetSpecs } from '../nets.js'
import { fieldsOf, type Inputs } from './fields.js'
import type { ReinforcementSettings } from './settings.js'

/** What a loss and its settings ask for besides the policy. */
export interface Needs {
  readonly critic: boolean
  readonly reference: boolean
  readonly memory: boolean
  readonly rewardModel: boolean
}

const readsAny = (inputs: Inputs, ...fields: readonly string[]): boolean => fields.some((field) => field in fieldsOf(inputs))

export const needsOf = (
  { inputs }: { readonly inputs: Inputs },
  { klReward, rewardModel }: Pick<ReinforcementSettings, 'klReward' | 'rewardModel'>,
): Needs => ({
  rewardModel: rewardModel !== undefined,
  critic: readsAny(inputs, 'values', 'oldValues', 'returns'),
  reference: klReward !== 0 || readsAny(inputs, 'refLogProbs'),
  memory: readsAny(inputs, 'memoryAdvantages', 'spanTurn'),
})

/** The nets that are trained. */
export const netSpecs = (config: DecoderConfig, { critic }: Needs): NetSpecs =>
  critic ? { policy: decoderSpecs(config), critic: judgeSpecs(config) } : { policy: decoderSpecs(config) }
