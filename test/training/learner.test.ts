import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { groupAdvantages, grpoLoss, presets } from '../../algorithms/index.js'
import type { Device } from '../../backends/backend.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { countOf, type GivenFor, isSpec, leaves, mapTree, random, type Value } from '../../dsl/index.js'
import { initialParameters, logits } from '../../models/index.js'
import {
  anchoredPolicyLoss,
  anchoredSpecs,
  copyTree,
  follow,
  holdTree,
  initialState,
  type Learner,
  loadLearner,
  nextTokens,
  readTree,
  type Report,
  sampledBatch,
  sequenceSpecs,
  stepProgram,
  supervisedLoss,
  train,
} from '../../training/index.js'
import { isValue } from '../is-value.js'
import { right as orThrow } from '../right.js'
import { config, initial, onCpu, parameters, right } from './tiny.js'

const sequences = [
  { prompt: [1, 2, 3], answer: [4, 5, 0] },
  { prompt: [3, 2, 1], answer: [5, 0] },
]

const supervised = { name: 'supervised', parameters, batch: sequenceSpecs, loss: supervisedLoss(logits(config)), maxNorm: 0.5 }

const grpo = {
  name: 'GRPO',
  parameters,
  batch: anchoredSpecs(parameters),
  loss: anchoredPolicyLoss(logits(config), ({ rewards, group, ...batch }) =>
    grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0.1 })({
      ...batch,
      advantages: groupAdvantages(presets.trl.advantages)(rewards, group),
    }),
  ),
}

const experience = sampledBatch({
  prompts: sequences.map(({ prompt }) => prompt),
  answers: sequences.map(({ answer }) => ({
    ids: answer,
    logProbs: answer.map((_, i) => -1.9 + i / 10),
    samplingLogProbs: answer.map(() => -1),
  })),
  rewards: [1, 0.25],
  groupSize: 2,
  padId: 0,
})

const reference = initialParameters(config, random.key(2))

const zeros = mapTree(isSpec)(({ axes }) => {
  const sizes = axes.map(({ size }) => Number(size.text))
  return { sizes, data: new Float64Array(countOf(sizes)) }
})(parameters) as typeof initial

const start = { params: initial, moments: { mean: zeros, square: zeros } }
const schedule = (step: number): number => 0.02 / step
const steps = [1, 2, 3, 4]

const numbersOf = (tree: unknown): readonly number[] => leaves(isValue)(tree).flatMap(({ value }) => [...value.data])

type Made = E.Either<unknown, { readonly outputs: { readonly loss: Value; readonly gradNorm: Value }; readonly state: typeof start }>

/** The reports of a few steps on the reference evaluator. */
const onOracle = (
  update: (state: typeof start, given: { readonly learningRate: number; readonly step: number; readonly mostDrift: number }) => Made,
) => {
  let state = start
  return steps.map((step) => {
    const made = orThrow(update(state, { learningRate: schedule(step), step, mostDrift: Infinity }))
    state = made.state
    const { loss, gradNorm } = made.outputs
    return { loss: loss.data[0]!, gradNorm: gradNorm.data[0]!, params: numbersOf(state.params) }
  })
}

function* repeated<B>(given: GivenFor<B>) {
  for (const about of steps) yield E.right({ given, about })
}

/** The reports of the same steps on a device, and the parameters after them. */
const onDevice = async <B>(device: Device, learner: Learner<typeof parameters, B>, given: GivenFor<B>) => {
  const reports: Report<number>[] = []
  const state = right(await initialState(device)(parameters, initial)())
  const last = right(await follow((report: Report<number>) => reports.push(report))(train(learner, state, repeated<B>(given)))())
  return { reports, last, params: right(await readTree(device)(parameters, last.params)()) }
}

const expectClose = (made: Awaited<ReturnType<typeof onDevice>>, expected: ReturnType<typeof onOracle>): void => {
  expect(made.reports.map(({ step, about, learningRate }) => [step, about, learningRate])).toEqual(
    steps.map((step) => [step, step, schedule(step)]),
  )
  made.reports.forEach(({ loss, gradNorm }, i) => {
    expect(loss).toBeCloseTo(expected[i]!.loss, 4)
    expect(gradNorm).toBeCloseTo(expected[i]!.gradNorm, 4)
  })
  const { params } = expected.at(-1)!
  numbersOf(made.params).forEach((x, i) => expect(x).toBeCloseTo(params[i]!, 4))
  expect(made.last.step).toBe(steps.length)
}

test('supervised steps on the CPU device are those of the reference, and the loss falls', () =>
  onCpu(async (device) => {
    const given = nextTokens(sequences, 0)
    const update = stepProgram(supervised)
    const expected = onOracle((state, rest) => evaluate(update, { batch: given, ...rest }, state))
    const made = await onDevice(device, right(await loadLearner(device)(supervised, schedule)()), given)
    expectClose(made, expected)
    expect(made.reports.at(-1)!.loss).toBeLessThan(made.reports[0]!.loss)
  }))

test('policy-gradient steps on the CPU device are those of the reference', () =>
  onCpu(async (device) => {
    const update = stepProgram(grpo)
    const expected = onOracle((state, rest) => evaluate(update, { batch: { ...experience, reference }, ...rest }, state))
    const held = right(await holdTree(device)(parameters, reference)())
    const learner = right(await loadLearner(device)(grpo, schedule)())
    expectClose(await onDevice(device, learner, { ...experience, reference: held }), expected)
    expect(right(await readTree(device)(parameters, held)())).toEqual(reference)
  }))

test('a copy of the parameters stays as it was while a step changes them', () =>
  onCpu(async (device) => {
    const learner = right(await loadLearner(device)(grpo, schedule)())
    const state = right(await initialState(device)(parameters, initial)())
    const copy = right(await copyTree(device)(parameters, state.params)())
    right(await learner.step(state, { given: { ...experience, reference: copy }, about: undefined })())
    expect(right(await readTree(device)(parameters, copy)())).toEqual(initial)
    expect(right(await readTree(device)(parameters, state.params)())).not.toEqual(initial)
  }))

test('a step moves probability from an answer that earned less to one that earned more', () => {
  const update = stepProgram(grpo)
  const score = stepProgram(supervised)
  const lossOf = (params: typeof initial, row: number): number => {
    const given = { batch: nextTokens(sequences.slice(row, row + 1), 0), learningRate: 0, step: 1, mostDrift: Infinity }
    const made = evaluate(score, given, { ...start, params })
    return E.isRight(made) ? made.right.outputs.loss.data[0]! : NaN
  }
  const { state } = orThrow(
    evaluate(update, { batch: { ...experience, reference: initial }, learningRate: 1e-3, step: 1, mostDrift: Infinity }, start),
  )
  const after = state.params
  expect(lossOf(after, 0) - lossOf(after, 1)).toBeLessThan(lossOf(initial, 0) - lossOf(initial, 1))
})

test('a loss that is not finite ends the training, and says at which step', () =>
  onCpu(async (device) => {
    const learner = right(await loadLearner(device)(supervised, (step) => (step === 1 ? 1e30 : 1))())
    const state = right(await initialState(device)(parameters, initial)())
    const end = await follow(() => undefined)(train(learner, state, repeated<typeof sequenceSpecs>(nextTokens(sequences, 0))))()
    expect(end).toMatchObject(E.left({ tag: 'notFinite', step: 2, quantity: 'the gradient norm' }))
  }))

test('a batch that could not be made ends the training with its error', () =>
  onCpu(async (device) => {
    const learner = right(await loadLearner(device)(supervised, schedule)())
    const state = right(await initialState(device)(parameters, initial)())
    const error = { tag: 'notFinite', step: 9, quantity: 'reward', value: NaN } as const
    expect(await follow(() => undefined)(train(learner, state, [E.left(error)]))()).toEqual(E.left(error))
  }))
