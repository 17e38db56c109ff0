import { deepmergeCustom } from 'deepmerge-ts'
import { countrySearch } from '../../tasks/index.js'
import type { JsonObject } from '../json-object.js'
import type { TaskName } from './schema.js'

/** A part of a config, not looked at yet. */
export type Draft = JsonObject

/** Settings whose keys say together what there is: fewer of them leave the others out. */
const mixes: ReadonlySet<unknown> = new Set(['objectives'])

/** The later over the earlier, key by key; a list replaces a list, and a mix a mix. */
export const over = deepmergeCustom({
  mergeArrays: false,
  mergeRecords: (values, { actions }, meta) => (mixes.has(meta?.key) ? values.at(-1) : actions.defaultMerge),
}) as unknown as (...drafts: readonly Draft[]) => Draft

const shared: Draft = {
  seed: 1,
  device: 'cpu',
  strict: false,
  precision: 'f32',
  init: 'random',
  model: { embed: 32, layers: 2, heads: 2, headDim: 16, ffn: 64 },
  supervised: { rows: 32, learningRate: 3e-3, decay: 0.3, optimizer: {}, maxNorm: 1 },
  reinforcement: {
    ...{ algorithm: 'grpo', steps: 150, questions: 16, answers: 8, temperature: 1 },
    ...{ learningRate: 1e-3, optimizer: {}, maxNorm: 1, epochs: 1, miniBatches: 2, oldLogProbs: 'rollout' },
    ...{ loss: {}, klReward: 0, advantages: 'trl', critic: { gamma: 1, lambda: 0.95 } },
    memory: { answer: 'gold', mean: 'geometric', baseline: 'full' },
  },
  evaluation: { questions: 256, every: 0 },
  checkpoint: { every: 20, keep: 3 },
  transcripts: { every: 10, episodes: 3 },
}

/** What each task is run by unless something else is said. */
const ofTask: { readonly [T in TaskName]: Draft } = {
  countdown: { task: { count: 2, reward: 'exact' }, supervised: { stages: [{ steps: 100 }] } },
  recall: { task: { names: 3, forgets: 0.4 }, supervised: { stages: [{ steps: 150 }] } },
  'country-search': {
    init: 'warm-start',
    model: { embed: 64, layers: 3, heads: 2, headDim: 32, ffn: 168, rotaryBase: 500 },
    task: { facts: 'countries', ...countrySearch.defaults },
    supervised: {
      stages: countrySearch.curriculum.map(({ steps, probes, settings }) => ({ steps, probes, task: settings })),
      ...{ rows: 16, learningRate: 3e-3, decay: 0.4, optimizer: { beta1: 0.9, beta2: 0.98 } },
    },
    reinforcement: {
      ...{ algorithm: 'mempo', steps: 60, questions: 8, answers: 8, learningRate: 1e-3, miniBatches: 4 },
      ...{ optimizer: { beta1: 0.9, beta2: 0.95 }, loss: { beta: 0.01 } },
    },
    evaluation: { questions: 512 },
    checkpoint: { every: 20 },
  },
}

/** What a model of rewards is taught by, in a run that has one. */
export const ofRewardModel: Draft = {
  ...{ weight: 0.1, most: 3, pairs: 'rollouts', steps: 60, questions: 16, answers: 8 },
  ...{ learningRate: 1e-3, decay: 0.3, optimizer: {}, maxNorm: 1 },
}

/** For a look in a minute: less of everything. */
const quick: { readonly [T in TaskName]: Draft } = {
  countdown: { reinforcement: { steps: 40 } },
  recall: { reinforcement: { steps: 30 } },
  'country-search': { reinforcement: { steps: 10 } },
}

const lessOf: Draft = { evaluation: { questions: 128 } }

export const defaultsOf = (name: TaskName, isQuick: boolean): Draft =>
  over(shared, ofTask[name], { task: { name } }, ...(isQuick ? [lessOf, quick[name]] : []))
