import { pipe } from 'fp-ts/lib/function.js'
import {
  cispoLoss,
  groupAdvantages,
  type GrpoConfig,
  grpoLoss,
  type PolicyBatch,
  type Preset,
  type Tokens,
} from '../../../algorithms/index.js'
import { f32, i32, type Scalar, type Tensor, type TensorsOf } from '../../../dsl/index.js'
import type { Nested } from '../golden-file.js'

export interface LossParams {
  readonly loss_type: 'grpo' | 'cispo'
  readonly num_generations: number
  readonly beta: number
  readonly epsilon: number
  readonly epsilon_high: number
  readonly eos_token_id: number
}

/** MiniMind's two losses under a preset of its own. */
const lossOf = ({ loss_type, beta, epsilon, epsilon_high }: LossParams, preset: Preset): ((batch: PolicyBatch) => Scalar) => {
  const clip: GrpoConfig['clip'] = { low: epsilon, high: epsilon }
  switch (loss_type) {
    case 'grpo':
      return grpoLoss({ ...preset.grpo, clip, beta })
    case 'cispo':
      return cispoLoss({ ...preset.cispo, bounds: { most: epsilon_high }, beta })
  }
}

/** The group of each row, where the answers to one prompt follow each other. */
export const contiguousGroups = (rows: Nested, { num_generations }: LossParams): Nested =>
  typeof rows === 'number' ? 0 : rows.map((_, i) => Math.floor(i / num_generations))

/** What MiniMind's losses read, besides the ids. */
export const policyInputs = {
  per_token_logps: f32('batch', 'time'),
  old_per_token_logps: f32('batch', 'time'),
  ref_per_token_logps: f32('batch', 'time'),
  rewards: f32('batch'),
  group: i32('batch'),
}

/** A loss under its preset, with the advantages and the mask that it made. */
export const policyOutputs = (
  given: TensorsOf<typeof policyInputs>,
  responseMask: Tensor<Tokens, 'bool'>,
  params: LossParams,
  preset: Preset,
) => {
  const advantages = groupAdvantages(preset.advantages)(given.rewards, given.group)
  const batch = {
    logProbs: given.per_token_logps,
    oldLogProbs: given.old_per_token_logps,
    refLogProbs: given.ref_per_token_logps,
    advantages,
    responseMask,
  }
  return { value: pipe(batch, lossOf(params, preset)), advantages, completion_mask: responseMask }
}
