import type { Schedule } from './learner.js'

export interface DecaySettings {
  readonly learningRate: number
  /** How many there are. */
  readonly steps: number
  /** Over which share of the steps, the last ones, the rate falls; 0 for none, 1 for all. */
  readonly decay: number
}

/**
 * The same learning rate until it falls in a line, to 0 at the step after the last.
 *
 *   η·min(1, (steps + 1 − step) / (decay·steps + 1))
 */
export const linearDecay =
  ({ learningRate, steps, decay }: DecaySettings): Schedule =>
  (step) =>
    learningRate * Math.max(0, Math.min(1, (steps + 1 - step) / (decay * steps + 1)))
