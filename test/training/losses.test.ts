import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { klK1 } from '../../algorithms/index.js'
import { grad } from '../../autodiff/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { leaves, maskedMean, program, random, type TensorsOf, type Value } from '../../dsl/index.js'
import { initialParameters, logits } from '../../models/index.js'
import { anchoredPolicyLoss, anchoredSpecs, sampledBatch, sequenceSpecs, supervisedLoss } from '../../training/index.js'
import { right } from '../right.js'
import { config, initial, parameters } from './tiny.js'

const ids = [
  [4, 5, 0],
  [5, 0],
]

const batch = sampledBatch({
  prompts: [
    [1, 2, 3],
    [3, 2, 1],
  ],
  answers: ids.map((answer) => ({ ids: answer, logProbs: answer.map(() => -1), samplingLogProbs: answer.map(() => -1) })),
  rewards: [1, 0],
  groupSize: 2,
  padId: 0,
})

/** The mean of log π − log π_ref over response tokens. */
const drift = anchoredPolicyLoss(logits(config), ({ logProbs, refLogProbs, responseMask }) =>
  pipe(klK1(logProbs, refLogProbs), maskedMean(responseMask, 'batch', 'time')),
)

const drifting = program({
  inputs: { policy: parameters, batch: anchoredSpecs(parameters) },
  body: ({ policy, batch: { reference, ...sampled } }) => {
    const of = (both: { readonly policy: typeof policy; readonly reference: typeof policy }) =>
      drift(both.policy, { ...sampled, reference: both.reference })
    return { outputs: { drift: of({ policy, reference }), slopes: grad(of)({ policy, reference }) } }
  },
})

const surprise = program({
  inputs: { params: parameters, batch: sequenceSpecs },
  body: (given) => ({ outputs: { surprise: supervisedLoss<TensorsOf<typeof parameters>>(logits(config))(given.params, given.batch) } }),
})

const reference = initialParameters(config, random.key(2))
const { outputs } = right(evaluate(drifting, { policy: initial, batch: { ...batch, reference } }))

test("a reference's log-probabilities are those that its own parameters give", () => {
  const { tokens, targets, responseMask } = batch
  const surpriseOf = (params: typeof initial): number =>
    right(evaluate(surprise, { params, batch: { tokens, targets, responseMask } })).outputs.surprise.data[0]!
  expect(outputs.drift.data[0]).toBeCloseTo(surpriseOf(reference) - surpriseOf(initial), 12)
})

test('a gradient flows into the policy and none into its reference', () => {
  const isValue = (tree: unknown): tree is Value => typeof tree === 'object' && tree !== null && 'data' in tree
  const isFlat = (tree: unknown): readonly boolean[] => leaves(isValue)(tree).map(({ value }) => [...value.data].every((x) => x === 0))
  expect(new Set(isFlat(outputs.slopes.reference))).toEqual(new Set([true]))
  expect(new Set(isFlat(outputs.slopes.policy))).toEqual(new Set([false]))
})
