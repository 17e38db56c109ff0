/** What a net reads sequences from end to end for, in the order of a step. */
export type Pass = 'rollout' | 'old' | 'reference' | 'rewardModel' | 'critic' | 'probes' | 'update'

/** How many sequences were read in each pass of a step, counted where they were handed to the device; a pass that was not made is not there. */
export type Passes = Readonly<Partial<Record<Pass, number>>>

/** One pass more. */
export const withPass =
  (pass: Pass, sequences: number) =>
  (passes: Passes): Passes =>
    sequences === 0 ? passes : { ...passes, [pass]: (passes[pass] ?? 0) + sequences }
