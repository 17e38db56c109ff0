import type { Remembered } from '../reinforcement/memory.js'
import { mean, std, sum } from './statistics.js'

/** What is said of the memories of a step. */
export interface MemoryMetrics {
  /** The means over turns of the answer's probability after the memory, and of what it is compared with. */
  readonly probability: number
  readonly baseline: number
  /** The first less the second. */
  readonly reward: { readonly mean: number; readonly std: number }
  /** The share of turns whose memory's advantage has the opposite sign of their trajectory's. */
  readonly opposed: number
  /** Of the tokens that a whole history gives away, the share that a draw after it would say; not there where no history was read. */
  readonly reader?: number
}

const isOpposed = (x: number, y: number): boolean => x * y < 0

/** `outcomes` are the advantages of the trajectories. */
export const memoriesOf = (remembered: readonly Remembered[], outcomes: readonly number[]): MemoryMetrics => {
  const rewards = remembered.map(({ memory, baseline }) => memory - baseline)
  const known = sum(remembered.map(({ reader }) => reader.known))
  return {
    probability: mean(remembered.map(({ memory }) => memory)),
    baseline: mean(remembered.map(({ baseline }) => baseline)),
    reward: { mean: mean(rewards), std: rewards.length === 0 ? 0 : std(rewards) },
    opposed: mean(remembered.map(({ trajectory, advantage }) => (isOpposed(advantage, outcomes[trajectory] ?? 0) ? 1 : 0))),
    ...(known > 0 && { reader: sum(remembered.map(({ reader }) => reader.right)) / known }),
  }
}
