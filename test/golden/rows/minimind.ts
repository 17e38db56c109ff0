import { cispoLoss, type GrpoConfig, grpoLoss, type PolicyBatch, type Preset } from '../../../algorithms/index.js'
import type { Scalar } from '../../../dsl/index.js'
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
export const lossOf = ({ loss_type, beta, epsilon, epsilon_high }: LossParams, preset: Preset): ((batch: PolicyBatch) => Scalar) => {
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
