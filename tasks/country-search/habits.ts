/** What an oracle does wrong, each with a probability. Policies taught by it have something left to learn. */
export interface Habits {
  /** Where it writes something new into its memory, it keeps nothing else. */
  readonly forget: number
  /** It reads off another of the facts that were found. */
  readonly wrongDoc: number
  /** It searches for another relation. */
  readonly wrongRelation: number
}

/** An oracle that answers every question. */
export const noHabits: Habits = { forget: 0, wrongDoc: 0, wrongRelation: 0 }

/** An oracle that forgets about as often as it keeps, so that a policy taught by it does no better even when it takes the likeliest word. */
export const badHabits: Habits = { forget: 0.5, wrongDoc: 0.05, wrongRelation: 0.03 }

/** Enough to see mistakes and few enough to learn to copy by: the first lessons. */
export const fewHabits: Habits = { forget: 0.05, wrongDoc: 0.01, wrongRelation: 0.01 }
