import type { RunContents } from '../../../cli/report/contents.js'

type Record_ = Readonly<Record<string, unknown>>

const lines = (records: readonly Record_[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')

const taught = (step: number) => ({ step, stage: 'supervised', loss: 5 / step, gradNorm: 1, tokens: 64 })

const evaluated = (step: number, mean: number) => ({
  ...{ step, stage: 'evaluation', questions: 32 },
  greedy: { reward: { mean, error: 0.02 } },
  sampled: { reward: { mean: mean / 2, error: 0.03 } },
  oracle: { reward: { mean: 1, error: 0 } },
})

const reinforced = (step: number) => ({
  ...{ step, stage: 'reinforcement', trajectories: 8, turns: 2 },
  reward: { mean: step / 20, std: 0.4, least: 0, greatest: 1 },
  rewardParts: { exact: step / 20, format: 0.25 },
  groups: { count: 2, std: 0.3, withoutVariance: 0 },
  written: { mean: 12 + step, greatest: 20, total: 96, memory: 3 },
  read: { mean: 40 + step, peak: 60 + step },
  advantage: { mean: 0, std: 1, byKind: { memory: 0.1 * step, answer: -0.1 } },
  update: { drift: 0.01, numbers: { loss: -0.1, gradNorm: 1 + step, refKl: 0.1 * step, entropy: 1 / step } },
  memory: { probability: step / 12, baseline: 0.5, reward: { mean: 0.1, std: 0.2 } },
})

const timed = (step: number) => ({
  ...{ step, stage: step > 2 ? 'reinforcement' : 'supervised', seconds: 1.5 },
  ...(step > 2 && { rollout: 0.5, prepare: 0.25, update: 0.5 }),
})

export const episode = (word: string, kind = 'memory', advantage = 1) => ({
  group: 0,
  reward: { value: 1, parts: { exact: 1 } },
  turns: [{ read: ['<q>', 'x', '</q>', '<info>', word, '</info>'], written: [{ word, kind, advantage }] }],
})

/** What two steps of a model of rewards leave. */
export const judged = {
  metrics: lines(
    [1, 2].map((step) => ({ step, stage: 'rewardModel', loss: 0.7 / step, gradNorm: 1, pairs: 4, right: 0.25 * step, margin: step })),
  ),
  timing: lines([1, 2].map((step) => ({ step, stage: 'rewardModel', seconds: 0.25 }))),
}

/** What a finished run of two steps of warm start and four of reinforcement leaves. */
export const finished: RunContents = {
  folder: 'runs/one',
  told: {
    ...{ axgrad: '0.1.0', node: '20.0.0', seed: 1, adapter: 'WebAssembly', fma: true },
    config: {
      task: { name: 'recall', names: 2 },
      model: { embed: 8 },
      supervised: { stages: [{ steps: 2 }] },
      reinforcement: { algorithm: 'mempo', steps: 4 },
    },
  },
  metrics: lines([taught(1), taught(2), evaluated(2, 0.2), ...[3, 4, 5, 6].map(reinforced), evaluated(6, 0.6)]),
  timing: lines([1, 2, 3, 4, 5, 6].map(timed)),
  transcripts: [
    ['000004.jsonl', lines([episode('early')])],
    ['000006.jsonl', lines([episode('late'), episode('wrong', 'answer', -2)])],
    ['000006.txt', 'late as text'],
  ],
  faults: [],
}
