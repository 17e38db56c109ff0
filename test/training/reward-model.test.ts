import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import type { Device } from '../../backends/backend.js'
import { leaves, random } from '../../dsl/index.js'
import { type DecoderConfig, decoderSpecs, initialParameters, judgeSpecs, type JudgeSpecs, newJudge } from '../../models/index.js'
import {
  follow,
  type HeldFor,
  initialState,
  holdTree,
  loadRespond,
  loadRewardModel,
  type PairCount,
  readTree,
  type Report,
  type RewardModel,
  type RewardModelSettings,
  train,
} from '../../training/index.js'
import { speaking } from '../../training/reinforcement/reinforce.js'
import { isValue } from '../is-value.js'
import { learnt, task } from './reinforcement/learnt.js'
import { onCpu, right } from './tiny.js'

const config: DecoderConfig = { vocab: task.vocabulary.length, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 4 }

const settings: RewardModelSettings = {
  ...{ steps: 40, questions: 8, answers: 8, learningRate: 3e-2, decay: 0.5, optimizer: {}, maxNorm: 1 },
}

/** The batches of all steps; a step without a pair has none. */
async function* madeBy(batchAt: ReturnType<RewardModel['batchAt']>) {
  for (let step = 0; step < settings.steps; step++) {
    const batch = right(await batchAt(step)())
    if (batch !== undefined) yield E.right(batch)
  }
}

/** A model of rewards that has learnt which of two episodes writes more even ids. */
const taught = async (device: Device) => {
  const policy = initialParameters(config, random.key(1))
  const specs = decoderSpecs(config)
  const respond = right(await loadRespond(device)(config)())
  const speak = speaking(respond, task, right(await holdTree(device)(specs, policy)()), { temperature: 1 })
  const { learner, batchAt } = right(await loadRewardModel(device, config, settings)())
  const begun = right(await initialState(device)(judgeSpecs(config), newJudge(config, policy))())
  const reports: Report<PairCount>[] = []
  const steps = train(learner, begun, madeBy(batchAt(task, speak, random.key(2))))
  const { params } = right(await follow((report: Report<PairCount>) => reports.push(report))(steps)())
  return { reports, params }
}

const numbersOf = async (device: Device, params: HeldFor<JudgeSpecs>): Promise<readonly number[]> =>
  leaves(isValue)(right(await readTree(device)(judgeSpecs(config), params)())).flatMap(({ value }) => [...value.data])

test('a model learns what was better, and pays for it, frozen and within its bounds', () =>
  onCpu(async (device) => {
    const { reports, params } = await taught(device)
    const late = reports.slice(-10)
    const pairs = late.reduce((sum, { about }) => sum + about.pairs, 0)
    const rightly = late.reduce((sum, { about, metrics }) => sum + about.pairs * metrics['right']!, 0)
    expect(reports[0]!.loss).toBeCloseTo(Math.log(2), 5) // it says 0 of everything
    expect(rightly / pairs).toBeGreaterThan(0.5 + 3 * (0.5 / Math.sqrt(pairs))) // three standard errors beyond chance
    const before = await numbersOf(device, params)
    for (const [most, weight] of [
      [3, 0.5],
      [0.01, 2],
    ] as const) {
      const made = await learnt(device, task, 'grpo', { steps: 1, rewardModel: { weight, most } }, { rewardModel: params })
      const [{ rows, trajectories } = { rows: [], trajectories: [] }] = made.reports
      const extra = trajectories.map(({ reward }, i) => rows.find(({ trajectory }) => trajectory === i)!.reward - reward.value)
      for (const paid of extra) expect(Math.abs(paid)).toBeLessThanOrEqual(weight * most * (1 + 1e-5))
      expect(new Set(extra).size).toBeGreaterThan(1)
      for (const { trajectory, reward } of rows) expect(reward).toBe(trajectories[trajectory]!.reward.value + extra[trajectory]!)
      expect(made.metrics[0]!.paid.mean - made.metrics[0]!.reward.mean).toBeCloseTo(extra.reduce((sum, x) => sum + x, 0) / extra.length, 5)
    }
    expect(await numbersOf(device, params)).toEqual(before)
  }))
