import { z } from 'zod'
import { klEstimates, type KlName, presets } from '../../algorithms/index.js'
import { deviceKinds, type Precision } from '../../backends/index.js'
import { aggregations } from '../../training/index.js'

const whole = z.int().nonnegative()
const count = z.int().positive()
const share = z.number().min(0).max(1)
const positive = z.number().positive()
const weight = z.number().nonnegative()
const keysOf = <K extends string>(record: Readonly<Record<K, unknown>>): [K, ...K[]] => Object.keys(record) as [K, ...K[]]

/** More layers than this no decoder has, and a program of more would not be compiled within a day. */
const mostLayers = 1024

/** The sizes of the decoder; its vocabulary is the task's. */
const model = z
  .strictObject({
    embed: count,
    layers: count.max(mostLayers),
    heads: count,
    keyHeads: count.optional(),
    headDim: count.multipleOf(2, 'a head has two halves to turn: an even size'),
    ffn: count,
    rotaryBase: positive.optional(),
    isTied: z.boolean().optional(),
    recomputesLayers: z.boolean().optional(),
  })
  .refine(({ heads, keyHeads = heads }) => heads % keyHeads === 0, { path: ['keyHeads'], error: 'key heads must divide heads' })

const countdown = z.strictObject({
  name: z.literal('countdown'),
  count: z.union([z.literal(2), z.literal(3)]),
  reward: z.enum(['exact', 'distance']),
})

const recall = z.strictObject({ name: z.literal('recall'), names: z.int().min(2).max(6), forgets: share })

const search = z.strictObject({
  name: z.literal('country-search'),
  facts: z.enum(['countries', 'elements']),
  context: z.enum(['memory', 'full']),
  objectives: z.partialRecord(z.enum(['1', '2', '3', '4', '5', '6', '7', '8']), weight),
  twoHops: share,
  results: count,
  slack: whole,
  reward: z.strictObject({ exact: weight, fraction: weight, format: weight }),
  habits: z.strictObject({ forget: share, wrongDoc: share, wrongRelation: share }),
})

/** What a policy plays, each with its settings. */
export const taskSchemas = { countdown, recall, 'country-search': search } as const

const task = z.discriminatedUnion('name', [countdown, recall, search])

const optimizer = z.strictObject({
  beta1: share.optional(),
  beta2: share.optional(),
  epsilon: positive.optional(),
  weightDecay: weight.optional(),
})

const learning = { learningRate: positive, optimizer, maxNorm: positive }

/** Some settings of the task; which there are is looked at beside the task. */
const partOfTask = z.record(z.string(), z.unknown())

const supervised = z.strictObject({
  /** One after the other. What a stage says of the task replaces what the run says of it. */
  stages: z.array(z.strictObject({ steps: whole, probes: share.optional(), task: partOfTask.optional() })),
  rows: count,
  decay: share,
  ...learning,
})

const loss = z.strictObject({
  clip: z.strictObject({ low: weight, high: weight }).optional(),
  beta: weight.optional(),
  kl: z.enum(keysOf<KlName>(klEstimates)).optional(),
  aggregation: z.enum(keysOf(aggregations)).optional(),
  most: positive.optional(),
  valueClip: positive.optional(),
  valueCoefficient: weight.optional(),
})

const reinforcement = z.strictObject({
  /** By name, or in place of it a file that exports a loss. */
  algorithm: z.string(),
  lossFile: z.string().optional(),
  /** Which of the losses that it exports, where it exports several. */
  lossName: z.string().optional(),
  steps: whole,
  questions: count,
  answers: count,
  temperature: z.number().min(1e-6).max(1e6),
  topK: count.optional(),
  topP: positive.max(1).optional(),
  ...learning,
  epochs: count,
  miniBatches: count,
  microRows: count.optional(),
  oldLogProbs: z.enum(['rollout', 'recomputed']),
  loss,
  klReward: weight,
  mostKl: positive.optional(),
  /** Whose way to compare the rewards of a group. */
  advantages: z.enum(keysOf(presets)),
  critic: z.strictObject({ gamma: share, lambda: share }),
  memory: z.strictObject({
    answer: z.enum(['gold', 'generated']),
    mean: z.enum(['geometric', 'arithmetic']),
    baseline: z.enum(['full', 'found', 'none']),
  }),
})

/** A model of rewards that is taught on pairs before the reinforcement, then frozen, and pays beside the task. */
const rewardModel = z
  .strictObject({
    /** What a point of its score is worth in the reward, and the ± that scores are clipped to. */
    weight,
    most: positive,
    /** Whose episodes are compared: the policy's after its warm start, or the oracle's among them. */
    pairs: z.enum(['rollouts', 'oracle']),
    steps: count,
    questions: count,
    answers: count,
    decay: share,
    ...learning,
  })
  .refine(({ pairs, answers }) => pairs === 'oracle' || answers > 1, { path: ['answers'], error: 'two answers at least are compared' })

export const precisions = ['f32', 'f16-storage', 'f16'] as const satisfies readonly Precision[]

/** All that a run is told. Nothing is left to a default here: those are in `defaults.ts`, and are printed with the rest. */
export const configSchema = z.strictObject({
  seed: z.int(),
  device: z.enum(deviceKinds as [string, ...string[]]),
  strict: z.boolean(),
  precision: z.enum(precisions),
  threads: count.optional(),
  /** 'random' for the warm start from nothing; 'warm-start' for the one that comes with country search; or the folder of a checkpoint. */
  init: z.string(),
  model,
  task,
  supervised,
  rewardModel: rewardModel.optional(),
  reinforcement,
  /** What is said of the task replaces what the run says of it. */
  evaluation: z.strictObject({ questions: count, every: whole, task: partOfTask.optional() }),
  /** The newest so many are kept, the best, and the one that the reinforcement began with. */
  checkpoint: z.strictObject({ every: count, keep: count }),
  transcripts: z.strictObject({ every: whole, episodes: count }),
})

export type RunConfig = Readonly<z.infer<typeof configSchema>>
export type TaskConfig = RunConfig['task']
export type TaskName = keyof typeof taskSchemas
