import * as TE from 'fp-ts/lib/TaskEither.js'
import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { bool, i32, program, random, type Value } from '../../dsl/index.js'
import { logits, nextLogits } from '../../models/index.js'
import { answerValues, holdTree, loadPolicy, nextTokens, type Policy, sampleAnswers, targetLogProbs } from '../../training/index.js'
import { right as orThrow } from '../right.js'
import { config, initial, onCpu, onOracle, parameters, right } from './tiny.js'

const prompts = Array.from({ length: 12 }, (_, row) => [row % 6, (5 * row) % 6, 3])
const settings = { maxTokens: 5, stopId: 0, temperature: 1, key: random.key(7) }

const sampled = async (policy: Policy, changed: Partial<typeof settings> = {}) =>
  right(await sampleAnswers(policy, { ...settings, ...changed })(prompts)())

const scoring = program({
  inputs: { params: parameters, tokens: i32('batch', 'time'), targets: i32('batch', 'time'), responseMask: bool('batch', 'time') },
  body: ({ params, ...batch }) => ({ outputs: { logProbs: targetLogProbs(logits(config), params, batch) } }),
})

test('the same key gives the same answers, another key others', async () => {
  const answers = await sampled(onOracle())
  expect(await sampled(onOracle())).toEqual(answers)
  expect(await sampled(onOracle(), { key: random.key(8) })).not.toEqual(answers)
})

test('an answer ends with its stop token or at the limit', async () => {
  const answers = await sampled(onOracle())
  for (const { ids, logProbs } of answers) {
    expect(ids.indexOf(0)).toBe(ids.at(-1) === 0 ? ids.length - 1 : -1)
    expect(ids.at(-1) === 0 || ids.length === 5).toBe(true)
    expect(logProbs.length).toBe(ids.length)
  }
  expect(new Set(answers.map(({ ids }) => ids.length)).size).toBeGreaterThan(1)
})

test('nothing is asked once every row has stopped', async () => {
  const asked: Value[] = []
  const stopping: Policy = (tokens) => {
    asked.push(tokens)
    const [rows = 0] = tokens.sizes
    return TE.right({
      axes: ['batch', 'vocab'],
      sizes: [rows, 2],
      data: Array.from({ length: 2 * rows }, (_, i) => (i % 2 === 0 ? 0 : -Infinity)),
    })
  }
  const answers = await sampled(stopping)
  expect(answers.every(({ ids }) => ids.length === 1)).toBe(true)
  expect(asked.map(({ sizes }) => sizes)).toEqual([[12, 3]])
})

test.each([0, 0.5, 1, 2])(
  'at temperature %d the log-probabilities are those that a scoring of the whole sequences gives',
  async (temperature) => {
    const answers = await sampled(onOracle(), { temperature })
    const sequences = answers.map(({ ids }, row) => ({ prompt: prompts[row]!, answer: ids }))
    const given = nextTokens(sequences, 5)
    const scored = orThrow(evaluate(scoring, { params: initial, ...given }))
    const expected = answerValues(
      sequences,
      answers.map(({ logProbs }) => logProbs),
    ).data
    const { data } = scored.outputs.logProbs
    given.responseMask.data.forEach((inside, i) => inside === 1 && expect(expected[i]).toBeCloseTo(data[i]!, 6))
  },
)

test('the sampling log-probabilities are the log-probabilities at temperature 1 alone', async () => {
  for (const { logProbs, samplingLogProbs } of await sampled(onOracle())) expect(samplingLogProbs).toEqual(logProbs)
  for (const { logProbs, samplingLogProbs } of await sampled(onOracle(), { temperature: 2 })) expect(samplingLogProbs).not.toEqual(logProbs)
  for (const { samplingLogProbs } of await sampled(onOracle(), { temperature: 0 }))
    expect(samplingLogProbs.every((x) => x === 0)).toBe(true)
})

test('temperature 0 says what is most likely, whatever the key', async () => {
  const answers = await sampled(onOracle(), { temperature: 0 })
  expect(await sampled(onOracle(), { temperature: 0, key: random.key(8) })).toEqual(answers)
})

test('a policy on the CPU device says what the reference says', () =>
  onCpu(async (device) => {
    const params = right(await holdTree(device)(parameters, initial)())
    const policyOf = right(await loadPolicy(device)(parameters, nextLogits(config))())
    const [there, here] = [await sampled(policyOf(params)), await sampled(onOracle())]
    expect(there.map(({ ids }) => ids)).toEqual(here.map(({ ids }) => ids))
    there.forEach(({ logProbs }, row) => logProbs.forEach((x, i) => expect(x).toBeCloseTo(here[row]!.logProbs[i]!, 4)))
  }))
