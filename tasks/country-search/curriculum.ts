import { badHabits, fewHabits } from './habits.js'
import type { Mix, SearchSettings } from './settings.js'

/** Lessons of one kind, in the order of a warm start. */
export interface Stage {
  readonly steps: number
  readonly settings: Pick<SearchSettings, 'objectives' | 'habits'>
  /** The share of samples that are probes of a memory or of a history, which a policy has to be taught as much as a turn. */
  readonly probes: number
}

/** Questions to train on, and now and then a longer one, so that no number is a word never read. */
export const mixes = {
  one: { 1: 1 },
  upToTwo: { 1: 1, 2: 1 },
  upToThree: { 1: 1, 2: 1, 3: 1 },
  withLonger: { 1: 1, 2: 1, 3: 1, 4: 0.06, 5: 0.06, 6: 0.06, 7: 0.06, 8: 0.06 },
} as const satisfies Readonly<Record<string, Mix>>

/**
 * One objective until copying is learnt, then more: mixed lengths from the start learn the format and stall there. Bad habits from the
 * second stage on; the probes last.
 */
export const curriculum: readonly Stage[] = [
  { steps: 1500, settings: { objectives: mixes.one, habits: fewHabits }, probes: 0 },
  { steps: 1000, settings: { objectives: mixes.upToTwo, habits: badHabits }, probes: 0 },
  { steps: 2500, settings: { objectives: mixes.withLonger, habits: badHabits }, probes: 0 },
  { steps: 500, settings: { objectives: mixes.withLonger, habits: badHabits }, probes: 0.35 },
]
