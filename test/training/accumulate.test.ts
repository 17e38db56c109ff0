import { pipe } from 'fp-ts/lib/function.js'
import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { aggregate, grpoLoss, ofStep, rowMeanTokenMean, type StepCounts, tokenMean } from '../../algorithms/index.js'
import type { Device } from '../../backends/backend.js'
import { f32, leaves, maskedMax } from '../../dsl/index.js'
import { type DecoderParameters, logits } from '../../models/index.js'
import {
  initialState,
  loadAccumulator,
  loadLearner,
  policyLoss,
  readTree,
  rolloutBatch,
  type SampledBatch,
  sampledSpecs,
  targetLogProbs,
  type TrainState,
} from '../../training/index.js'
import { isValue } from '../is-value.js'
import { config, initial, onCpu, parameters, right } from './tiny.js'

/** Rows of different lengths, so that the mean of the parts' means is not the mean of the whole. */
const rollouts = [
  { prompt: [1, 2, 3], response: [4, 5, 0], reward: 1 },
  { prompt: [3, 2, 1], response: [5, 0], reward: 0.25 },
  { prompt: [2], response: [1, 2, 3, 4, 0], reward: -0.5 },
  { prompt: [4, 4], response: [0], reward: 0.75 },
  { prompt: [5, 1], response: [3, 0], reward: 0.1 },
].map(({ response, ...rest }, i) => ({
  ...rest,
  group: String(i),
  response,
  responseMask: response.map(() => true),
  logProbs: response.map((_, place) => -1.5 - place / 5),
}))

type Batch = SampledBatch & { readonly step: StepCounts }

const learning = {
  name: 'GRPO',
  parameters,
  batch: { ...sampledSpecs, step: { tokens: f32(), rows: f32(), nonEmptyRows: f32() } },
  loss: (params: DecoderParameters, { step, ...batch }: Batch) =>
    policyLoss(logits(config), ({ rewards, ...scored }) =>
      grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0, aggregation: ofStep(step)(rowMeanTokenMean) })({ ...scored, advantages: rewards }),
    )(params, batch),
  drift: (params: DecoderParameters, { step, ...batch }: Batch) =>
    pipe(targetLogProbs(logits(config), params, batch), aggregate(ofStep(step)(tokenMean))(batch.responseMask)),
  metrics: (params: DecoderParameters, { step: _, ...batch }: Batch) => ({
    logProbGreatest: pipe(targetLogProbs(logits(config), params, batch), maskedMax(batch.responseMask, 'batch', 'time')),
  }),
}

const step = { tokens: 13, rows: 5, nonEmptyRows: 5 }
const given = (...rows: readonly number[]) => ({ ...rolloutBatch(0)(rows.map((row) => rollouts[row]!)), step })

const schedule = () => 0.05
const numbers = (tree: unknown): readonly number[] => leaves(isValue)(tree).flatMap(({ value }) => [...value.data])
const paramsOf = async (device: Device, { params }: TrainState<typeof parameters>) =>
  numbers(right(await readTree(device)(parameters, params)()))

test('steps in parts are those of the whole batch: loss, gradient, drift, metrics and parameters', () =>
  onCpu(async (device) => {
    const learner = right(await loadLearner(device)(learning, schedule)())
    const accumulator = right(await loadAccumulator(device)(learning, schedule)())
    let whole = right(await initialState(device)(parameters, initial)())
    let summed = right(await initialState(device)(parameters, initial)())
    for (let i = 0; i < 3; i++) {
      const one = right(await learner.step(whole, { given: given(0, 1, 2, 3, 4), about: i })())
      const parts = right(await accumulator.step(summed, { parts: [given(3, 1), given(0), given(4, 2)], about: i })())
      expect(parts.report.loss).toBeCloseTo(one.report.loss, 6)
      expect(parts.report.gradNorm).toBeCloseTo(one.report.gradNorm, 5)
      expect(parts.report.drift).toBeCloseTo(one.report.drift, 5)
      expect(parts.report.metrics['logProbGreatest']).toBeCloseTo(one.report.metrics['logProbGreatest']!, 5)
      ;[whole, summed] = [one.state, parts.state]
    }
    const [expected, made] = [await paramsOf(device, whole), await paramsOf(device, summed)]
    made.forEach((x, i) => expect(x).toBeCloseTo(expected[i]!, 4))
    expect(made.some((x, i) => Math.abs(x - numbers(initial)[i]!) > 0.01)).toBe(true)
  }))

test('a step that finds the policy too far is not taken: the state stays as it was, moments and all', () =>
  onCpu(async (device) => {
    for (const step of [
      async (state: TrainState<typeof parameters>, mostDrift: number) =>
        await right(await loadLearner(device)(learning, schedule)()).step(state, { given: given(0, 1), mostDrift, about: 0 })(),
      async (state: TrainState<typeof parameters>, mostDrift: number) =>
        await right(await loadAccumulator(device)(learning, schedule)()).step(state, {
          parts: [given(0), given(1)],
          mostDrift,
          about: 0,
        })(),
    ]) {
      const state = right(await initialState(device)(parameters, initial)())
      const refused = right(await step(state, -100))
      expect(refused.report.taken).toBe(false)
      expect(refused.state.step).toBe(0)
      expect(await paramsOf(device, refused.state)).toEqual(numbers(initial))
      const moments = right(await readTree(device)(parameters, refused.state.moments.mean)())
      expect(new Set(numbers(moments))).toEqual(new Set([0]))
      const taken = right(await step(refused.state, refused.report.drift))
      expect(taken.report.taken).toBe(true)
      expect(taken.state.step).toBe(1)
    }
  }))

test('a step whose gradient is not finite leaves the state as it was', () =>
  onCpu(async (device) => {
    const learner = right(await loadLearner(device)(learning, schedule)())
    const state = right(await initialState(device)(parameters, initial)())
    const broken = { ...given(0, 1), rewards: { sizes: [2], data: [NaN, 1] } }
    expect(await learner.step(state, { given: broken, about: 0 })()).toMatchObject(E.left({ tag: 'notFinite', step: 1, quantity: 'loss' }))
    expect(await paramsOf(device, state)).toEqual(numbers(initial))
  }))
