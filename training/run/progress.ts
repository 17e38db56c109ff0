import { z } from 'zod'

const measured = z.strictObject({ mean: z.number(), error: z.number() })

const measures = z.record(z.string(), measured)

const examined = z.strictObject({ questions: z.int().nonnegative(), greedy: measures, sampled: measures, oracle: measures })

const evaluation = z.strictObject({ step: z.int().nonnegative(), ...examined.shape, sorts: z.record(z.string(), examined) })

const stages = ['supervised', 'rewardModel', 'reinforcement'] as const

/** The file state.json of a checkpoint. */
export const progressSchema = z.strictObject({
  /** Steps of all stages that have been. */
  step: z.int().nonnegative(),
  stage: z.enum(stages),
  /** How many updates the moments have seen. */
  updates: z.int().nonnegative(),
  seed: z.int(),
  /** What the device rounds by: the same steps end in other bits elsewhere. */
  adapter: z.string(),
  fma: z.boolean(),
  evaluations: z.array(evaluation),
})

/** The parts of a run, in their order: a warm start, a model of rewards that learns from pairs, reinforcement. */
export type Stage = (typeof stages)[number]

/** A mean over questions, and the standard error of it. */
export type MeanWithError = Readonly<z.infer<typeof measured>>

/** What was measured, by name. */
export type Measures = Readonly<Record<string, MeanWithError>>

/** What a policy makes of some questions, taking the likeliest token each time and drawing; and what the task's oracle does. */
export interface Examined {
  readonly questions: number
  readonly greedy: Measures
  readonly sampled: Measures
  readonly oracle: Measures
}

/** What a policy makes of questions that it is never trained on. */
export interface Evaluation extends Examined {
  /** After how many steps. */
  readonly step: number
  /** The same of each sort of question, where the task tells sorts apart. */
  readonly sorts: Readonly<Record<string, Examined>>
}

/** Where a run is. All that is random follows from the seed and the step. */
export interface Progress {
  readonly step: number
  readonly stage: Stage
  readonly updates: number
  readonly seed: number
  readonly adapter: string
  readonly fma: boolean
  readonly evaluations: readonly Evaluation[]
}
