import fc from 'fast-check'
import { expect, test } from 'vitest'
import { bool, defineLoss, f32, i32, random, type SpecTree } from '../../../dsl/index.js'
import { catalogue } from '../../../algorithms/index.js'
import { algorithmNames, pairsOf, readable, recipeOf, recipeOfLoss, renderLossError, roundsOf, type Row } from '../../../training/index.js'
import { loss as example } from '../../../examples/losses/grpo.js'
import { law } from '../../law.js'

const rowOf = (trajectory: number, group: number, reward: number): Row => ({
  ...{ prompt: [1], answer: [2], answerMask: [true], logProbs: [-1], samplingLogProbs: [-1], kinds: ['answer'], turns: [0] },
  ...{ trajectory, group, reward, advantage: 0, memoryAdvantages: [], tokens: {} },
})

/** Trajectories of one to three rows, in groups of three. */
const anyRows = fc
  .array(fc.tuple(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 0, max: 2 })), { minLength: 1, maxLength: 12 })
  .map((trajectories) =>
    trajectories.flatMap(([count, reward], i) => Array.from({ length: count }, () => rowOf(i, Math.floor(i / 3), reward))),
  )

const anySettings = fc.record({
  epochs: fc.integer({ min: 1, max: 3 }),
  miniBatches: fc.integer({ min: 1, max: 4 }),
  microRows: fc.integer({ min: 1, max: 5 }),
})

const single = recipeOfRight('grpo')
const compared = recipeOfRight('grpoOfRewards')
const pairs = recipeOfRight('dpo')

function recipeOfRight(name: string) {
  const made = recipeOf(name, {})
  if (made._tag === 'Left') throw new Error(renderLossError(made.left))
  return made.right.inputs
}

law(
  'each epoch goes through every row once, and the parts of a round are the round',
  fc.property(anyRows, anySettings, fc.nat(), (rows, settings, seed) => {
    const rounds = roundsOf(single, rows, settings, random.key(seed))
    const seen = rounds.flatMap(({ parts }) => parts.flatMap((part) => ('rows' in part ? part.rows : [])))
    for (const row of rows) expect(seen.filter((other) => other === row)).toHaveLength(settings.epochs)
    for (const { whole, parts } of rounds) {
      expect(parts.flatMap((part) => ('rows' in part ? part.rows : []))).toEqual('rows' in whole ? whole.rows : [])
      expect(parts.every((part) => 'rows' in part && part.rows.length <= settings.microRows)).toBe(true)
    }
  }),
)

law(
  'a trajectory stays in one mini-batch, and where a loss compares the rows of a group, so does the group',
  fc.property(anyRows, anySettings, fc.nat(), (rows, { microRows: _, ...settings }, seed) => {
    for (const [inputs, unit] of [
      [single, 'trajectory'],
      [compared, 'group'],
    ] as const) {
      const rounds = roundsOf(inputs, rows, { ...settings, epochs: 1 }, random.key(seed))
      const units = rounds.flatMap(({ whole }) => [...new Set('rows' in whole ? whole.rows.map((row) => row[unit]) : [])])
      expect(new Set(units).size).toBe(units.length)
    }
  }),
)

law(
  'a pair is the best and the worst of a group; a group whose rows earned the same has none',
  fc.property(anyRows, (rows) => {
    const made = pairsOf(rows)
    const spread = new Set(
      rows
        .map(({ group }) => group)
        .filter((group) => new Set(rows.filter((row) => row.group === group).map(({ reward }) => reward)).size > 1),
    )
    expect(made.map(([best]) => best!.group)).toEqual([...spread])
    for (const [best, worst] of made) {
      const rewards = rows.filter(({ group }) => group === best!.group).map(({ reward }) => reward)
      expect([best!.reward, worst!.reward]).toEqual([Math.max(...rewards), Math.min(...rewards)])
    }
    const rounds = roundsOf(pairs, rows, { epochs: 1, miniBatches: 2 }, random.key(1))
    expect(rounds.flatMap(({ whole }) => ('chosen' in whole ? whole.chosen : []))).toHaveLength(made.length)
  }),
)

test('the algorithms that the issue names are there, and each of the library that reads what a trainer has', () => {
  for (const name of ['grpo', 'mempo', 'ppo', 'cispo', 'gspo', 'rloo', 'dpo']) expect(algorithmNames).toContain(name)
  for (const [name, { loss }] of Object.entries(catalogue)) expect(algorithmNames.includes(name)).toBe(readable(loss)._tag === 'Right')
})

const lossOf = (inputs: SpecTree) => defineLoss({ name: 'mine', inputs, loss: ({ x }: never) => x } as never) as never

test.each([
  ['an unknown algorithm', recipeOf('grop', {}), ["the algorithm 'grop'", "did you mean 'grpo'?"]],
  [
    'an input that a trainer lacks',
    recipeOfLoss(lossOf({ logProbs: f32('batch', 'time'), advantage: f32('batch') })),
    ["'advantage'", "did you mean 'advantages'?"],
  ],
  ['an input of other axes', recipeOfLoss(lossOf({ logProbs: f32('batch') })), ['f32[batch]', 'f32[batch, time]']],
  [
    'a loss without log-probabilities',
    recipeOfLoss(lossOf({ advantages: f32('batch'), responseMask: bool('batch', 'time') })),
    ["'logProbs'"],
  ],
])('%s is an error of three lines', (_, made, words) => {
  if (made._tag === 'Right') throw new Error('no error')
  const text = renderLossError(made.left)
  expect(text.split('\n')).toHaveLength(3)
  for (const word of words) expect(text).toContain(word)
})

test('the loss of the examples can be trained by', () => {
  expect(recipeOfLoss(example as never)).toMatchObject({ _tag: 'Right', right: { name: 'grpo', inParts: false } })
})

test('a loss of one’s own may be run in parts where it says that it divides by the step', () => {
  const inputs = { logProbs: f32('batch', 'time'), responseMask: bool('batch', 'time') }
  const step = { tokens: f32(), rows: f32(), nonEmptyRows: f32() }
  const inParts = (loss: never) => {
    const made = recipeOfLoss(loss)
    return made._tag === 'Right' && made.right.inParts
  }
  expect(inParts(lossOf(inputs))).toBe(false)
  expect(inParts(lossOf({ ...inputs, step }))).toBe(true)
  expect(inParts(lossOf({ ...inputs, step, group: i32('batch') }))).toBe(false)
})
