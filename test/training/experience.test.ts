import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { policyRatio } from '../../algorithms/index.js'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { abs, maskedMean, program, random, sub } from '../../dsl/index.js'
import { logits } from '../../models/index.js'
import { type Answer, holdTree, loadRespond, type OldLogProbs, policyLoss, sampledBatch, sampledSpecs } from '../../training/index.js'
import { config, initial, onCpu, parameters, right } from './tiny.js'

const prompts = [
  [1, 2, 3],
  [1, 2, 3],
  [4, 5, 3],
  [4, 5, 3],
]

const answersAt = (temperature: number): Promise<readonly Answer[]> =>
  onCpu(async (device) => {
    const params = right(await holdTree(device)(parameters, initial)())
    const respond = right(await loadRespond(device)(config)())
    return right(await respond(params, prompts, { maxTokens: 5, stopIds: [0], temperature, key: random.key(7) })())
  })

/** The mean over response tokens of |r − 1|, as a loss of the policy that answered. */
const distance = program({
  inputs: { params: parameters, batch: sampledSpecs },
  body: ({ params, batch }) => ({
    outputs: {
      distance: policyLoss(logits(config), (scored) =>
        pipe(sub(policyRatio(scored), 1), abs, maskedMean(scored.responseMask, 'batch', 'time')),
      )(params, batch),
    },
  }),
})

const distanceOf = (answers: readonly Answer[], oldLogProbs?: OldLogProbs): number => {
  const batch = sampledBatch({
    prompts,
    answers,
    rewards: prompts.map(() => 0),
    groupSize: 2,
    padId: 5,
    ...(oldLogProbs && { oldLogProbs }),
  })
  const made = evaluate(distance, { params: initial, batch })
  return E.isRight(made) ? made.right.outputs.distance.data[0]! : NaN
}

test.each([0, 0.5, 1, 2])('at the policy that answered, at temperature %d, the ratio is 1', async (temperature) => {
  expect(distanceOf(await answersAt(temperature))).toBeLessThan(1e-6)
})

test.each([0, 0.5, 1, 2])("with the sampling distribution's log-probabilities, at temperature %d, it is π/μ", async (temperature) => {
  const answers = await answersAt(temperature)
  const distances = answers.flatMap(({ logProbs, samplingLogProbs }) =>
    logProbs.map((x, i) => Math.abs(Math.exp(x - samplingLogProbs[i]!) - 1)),
  )
  expect(distanceOf(answers, 'sampling')).toBeCloseTo(distances.reduce((sum, x) => sum + x, 0) / distances.length, 6)
})

test('rows of one prompt have one group', async () => {
  const answers = await answersAt(1)
  const { group, rewards } = sampledBatch({ prompts, answers, rewards: [1, 0, 0.5, 0], groupSize: 2, padId: 5 })
  expect([group, rewards]).toEqual([
    { sizes: [4], data: [0, 0, 1, 1] },
    { sizes: [4], data: [1, 0, 0.5, 0] },
  ])
})
