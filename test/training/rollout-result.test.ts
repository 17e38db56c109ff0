import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { nested } from '../../dsl/index.js'
import { parseRollouts, printRollouts, renderRolloutError, type Rollout, rolloutBatch } from '../../training/index.js'
import { law } from '../law.js'

/** The second token of the response is what a tool answered. */
const rollout: Rollout = {
  group: 'what is 5 times 7?',
  prompt: [5, 7, 3],
  response: [1, 9, 2],
  responseMask: [true, false, true],
  logProbs: [-0.5, null, -1.25],
  reward: 1,
}

const written = (fields: object): string => JSON.stringify({ ...rollout, ...fields })

const anyRollout: fc.Arbitrary<Rollout> = fc
  .array(fc.record({ id: fc.nat(1000), isResponse: fc.boolean(), logProb: fc.double({ min: -50, max: 0, noNaN: true }) }))
  .chain((tokens) =>
    fc.record({
      group: fc.string(),
      prompt: fc.array(fc.nat(1000), { minLength: 1 }),
      response: fc.constant(tokens.map(({ id }) => id)),
      responseMask: fc.constant(tokens.map(({ isResponse }) => isResponse)),
      logProbs: fc.constant(tokens.map(({ isResponse, logProb }) => (isResponse ? (Object.is(logProb, -0) ? 0 : logProb) : null))),
      reward: fc.integer(),
    }),
  )

describe('rollouts', () => {
  law(
    'are read as they were written',
    fc.property(fc.array(anyRollout), (rollouts) => {
      expect(parseRollouts(printRollouts(rollouts))).toEqual(E.right(rollouts))
    }),
  )

  test('become a batch in which a tool is read and not answered for, groups in any order', () => {
    const other: Rollout = { ...rollout, group: 'another', prompt: [8], response: [2], responseMask: [true], logProbs: [-2], reward: 0 }
    const batch = rolloutBatch(0)([rollout, other, rollout])
    expect(batch).toMatchObject({
      tokens: { sizes: [3, 5], data: Int32Array.from([5, 7, 3, 1, 9, 8, 2, 0, 0, 0, 5, 7, 3, 1, 9]) },
      targets: { sizes: [3, 5], data: Int32Array.from([7, 3, 1, 9, 2, 2, 0, 0, 0, 0, 7, 3, 1, 9, 2]) },
      responseMask: { sizes: [3, 5], data: Int32Array.from([0, 0, 1, 0, 1, 1, 0, 0, 0, 0, 0, 0, 1, 0, 1]) },
      oldLogProbs: { sizes: [3, 5], data: Float32Array.from([0, 0, -0.5, 0, -1.25, -2, 0, 0, 0, 0, 0, 0, -0.5, 0, -1.25]) },
      rewards: nested([1, 0, 1]),
      group: nested([0, 1, 0]),
    })
  })
})

const errorsOf = (text: string) => {
  const parsed = parseRollouts(text)
  return E.isLeft(parsed) ? parsed.left : []
}

describe('what is wrong with rollouts is said, all of it', () => {
  test.each([
    ['half a line', '{"group": ', [{ tag: 'notJson', line: 1 }]],
    ['a log-probability that is missing', written({ logProbs: [null, null, -1] }), [{ tag: 'noLogProb', line: 1, place: 0 }]],
    ['too few log-probabilities', written({ logProbs: [-1] }), [{ tag: 'wrongLength', field: 'logProbs', has: 1, ids: 3 }]],
    ['a mask of another length', written({ responseMask: [true] }), [{ tag: 'wrongLength', field: 'responseMask', has: 1, ids: 3 }]],
    ['a probability above 1', written({ logProbs: [0.5, null, -1] }), [{ tag: 'wrongField', path: 'logProbs.0' }]],
    ['an infinite log-probability', written({}).replace('-1.25', '-1e999'), [{ tag: 'wrongField', path: 'logProbs.2' }]],
    ['an id that is none', written({ response: [1, 2.5, 3] }), [{ tag: 'wrongField', path: 'response.1' }]],
    ['no prompt', written({ prompt: [] }), [{ tag: 'wrongField', path: 'prompt' }]],
    ['an unknown field', written({ logprobs: [] }), [{ tag: 'wrongField', path: '' }]],
    ['a list', '[]', [{ tag: 'wrongField', path: '' }]],
    ['two lines, an empty one between', `${written({ reward: 'much' })}\n\n${written({ group: 7 })}\n`, [
      { line: 1, path: 'reward' },
      { line: 3, path: 'group' },
    ]], // prettier-ignore
  ] as const)('%s', (_what, text, errors) => {
    const found = errorsOf(text)
    expect(found).toMatchObject(errors)
    expect(found).toHaveLength(errors.length)
    for (const error of found) expect(renderRolloutError(error)).toMatch(/^.+\n {2}because: .+\n {2}try: .+$/)
  })

  test('a missing log-probability is rendered with its place', () => {
    expect(errorsOf(written({ logProbs: [-1, null, null] })).map(renderRolloutError)).toEqual([
      [
        "'logProbs[2]' in line 1 of the rollouts",
        '  because: the policy wrote this token, and how likely it found it is not said',
        '  try: take the log-probability from the engine that sampled, or score the response again; 0 would say that nothing else was possible',
      ].join('\n'),
    ])
  })
})
