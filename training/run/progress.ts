import { z } from 'zod'

const measured = z.strictObject({ mean: z.number(), error: z.number() })

const examined = z.strictObject({
  questions: z.int().nonnegative(),
  greedy: z.record(z.string(), measured),
  sampled: z.record(z.string(), measured),
})

const evaluation = z.strictObject({ step: z.int().nonnegative(), ...examined.shape, sorts: z.record(z.string(), examined) })

/** The file state.json of a checkpoint. */
export const progressSchema = z.strictObject({
  /** Steps of all stages that have been. */
  step: z.int().nonnegative(),
  stage: z.enum(['supervised', 'reinforcement']),
  /** How many updates the moments have seen. */
  updates: z.int().nonnegative(),
  seed: z.int(),
  /** What the device rounds by: the same steps end in other bits elsewhere. */
  adapter: z.string(),
  fma: z.boolean(),
  evaluations: z.array(evaluation),
})

/** A mean over questions, and the standard error of it. */
export type MeanWithError = Readonly<z.infer<typeof measured>>

/** What a policy makes of some questions: taking the likeliest token each time, and drawing. */
export interface Examined {
  readonly questions: number
  readonly greedy: Readonly<Record<string, MeanWithError>>
  readonly sampled: Readonly<Record<string, MeanWithError>>
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
  readonly stage: 'supervised' | 'reinforcement'
  readonly updates: number
  readonly seed: number
  readonly adapter: string
  readonly fma: boolean
  readonly evaluations: readonly Evaluation[]
}
