import type { Scalar, Tensor } from '../dsl/index.js'
import type { PolicyBatch, Tokens } from './batch.js'
import { type GrpoConfig, grpoLoss } from './grpo.js'
import { withMemory } from './memory.js'

/** A batch of an agent that rewrites its memory at each turn; `advantages` are those of the outcome. */
export interface MemoryBatch extends PolicyBatch {
  /** The advantage of the memory that a row wrote at a turn. */
  readonly memoryAdvantages: Tensor<'batch' | 'turn'>
  /** The turn whose memory a token writes, −1 for a token that writes none. */
  readonly spanTurn: Tensor<Tokens, 'i32'>
}

/**
 * MemPO: GRPO in which the tokens that write a memory are also paid for what that memory is worth.
 *
 *   L = grpo(A_outcome + A_memory on the memory's tokens)
 *
 * Gradient: through `logProbs` alone. With memory advantages of 0 it is `grpoLoss` with the same settings.
 * Source: arXiv:2603.00680. Its loss is verl's: clipped both ways, with the KL to the starting policy (`presets.mempo`).
 */
export const mempoLoss =
  (config: GrpoConfig) =>
  (batch: MemoryBatch): Scalar =>
    grpoLoss(config)<Tokens>({ ...batch, advantages: withMemory(batch.advantages, batch.memoryAdvantages, batch.spanTurn) })
