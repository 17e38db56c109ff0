import type * as E from 'fp-ts/lib/Either.js'
import { presets } from '../../../algorithms/index.js'
import { openCpu } from '../../../backends/cpu/index.js'
import type { recall } from '../../../tasks/index.js'
import { tokenizerJson } from '../../../tasks/index.js'
import {
  beginRun,
  disk,
  type Files,
  type Keeping,
  live,
  type ModelFiles,
  recipeOf,
  recorded,
  renderRunFault,
  renderRunFolderError,
  resumeRun,
  type RunEnd,
  type RunFault,
  type RunPlan,
} from '../../../training/index.js'
import { right } from '../../right.js'
import { recalling } from '../../tasks/recalling.js'

/** Remembers two digits. Even digits are paid for, so that a policy that knows nothing is paid now and then. */
const task = recalling({ names: 2 })
const environment = {
  ...task,
  reward: ({ memory = [], response = [] }: recall.RecallState) => ({
    value: [...memory, ...response].filter((id) => id % 2 === 0).length,
    parts: { exact: 0 },
  }),
}

const config = { vocab: environment.vocabulary.length, embed: 8, layers: 1, heads: 1, headDim: 4, ffn: 8 }

export const warm = 4
export const all = 8

/** A run of eight steps, half of them a warm start, each in some milliseconds. */
export const tinyPlan = (algorithm = 'grpo', seed = 1, learningRate = 0.01): RunPlan<recall.RecallState> => ({
  seed,
  model: config,
  environment,
  supervised: { stages: [{ steps: warm, environment: task }], rows: 4, learningRate, decay: 0.5, optimizer: {}, maxNorm: 1 },
  reinforcement: {
    ...{ steps: all - warm, questions: 2, answers: 4, temperature: 1, learningRate, optimizer: {}, maxNorm: 1 },
    ...{ epochs: 1, miniBatches: 2, oldLogProbs: 'rollout', loss: {}, klReward: 0 },
    advantages: presets.trl.advantages,
    critic: { gae: { gamma: 1, lambda: 0.95 }, whitening: { ddof: 1, epsilon: 1e-8 } },
    memory: { answer: 'gold', mean: 'geometric', baseline: 'full' },
  },
  recipe: right(recipeOf(algorithm, {})),
  evaluation: { questions: 4, temperature: 1, every: 2 },
})

/** With a model of rewards between the warm start and the reinforcement, which learns from the oracle's episodes, too. */
export const paidPlan: RunPlan<recall.RecallState> = {
  ...tinyPlan(),
  rewardModel: { steps: 5, pairs: 'oracle', questions: 2, answers: 2, learningRate: 0.01, decay: 0.5, optimizer: {}, maxNorm: 1 },
  reinforcement: { ...tinyPlan().reinforcement, rewardModel: { weight: 0.5 } },
}

export const model: ModelFiles = {
  config,
  stopIds: environment.stopIds,
  tokenizer: `${JSON.stringify(tokenizerJson(environment.vocabulary))}\n`,
}

interface How {
  readonly folder: string
  readonly plan?: RunPlan<recall.RecallState>
  readonly isResumed?: boolean
  /** After how many events of the run it is left without a word, as by a kill. */
  readonly killedAfter?: number
  /** After which step somebody asks for its end. */
  readonly stoppedAfter?: number
  readonly files?: Files
  readonly threads?: number
  readonly keep?: Keeping
}

export type Ended = E.Either<RunFault, RunEnd> | undefined

/** A run, or as much of it as is asked for. */
export const run = async ({
  folder,
  plan = tinyPlan(),
  isResumed,
  killedAfter,
  stoppedAfter,
  files = disk,
  threads = 1,
  keep = { newest: 10, base: warm },
}: How): Promise<Ended> => {
  const device = openCpu({ threads, wake: 0 })
  const origin = { seed: plan.seed, adapter: device.facts.adapter, fma: device.facts.features.includes('relaxed-simd') }
  try {
    const resumed = isResumed === true ? right(await resumeRun(disk, folder, model, plan, origin)(), renderRunFolderError) : undefined
    if (resumed === undefined) right(await beginRun(disk, folder, {})(), renderRunFolderError)
    let step = 0
    const events = recorded(
      {
        ...{ files, folder, model, origin, environment: plan.environment, every: 3 },
        keep,
        transcripts: { every: 2, episodes: 1 },
        isStopped: () => step === stoppedAfter,
      },
      live(device, plan, resumed),
    )
    for (let seen = 0; seen !== killedAfter; seen++) {
      const next = await events.next()
      if (next.done === true) return next.value
      if (next.value.tag === 'taught' || next.value.tag === 'reinforced') step = next.value.step
    }
    return undefined
  } finally {
    await device.release()
  }
}

/** The same, if it ends well. */
export const finished = async (how: How): Promise<RunEnd> => {
  const ended = await run(how)
  if (ended === undefined) throw new Error('the run was killed')
  return right(ended, renderRunFault)
}
