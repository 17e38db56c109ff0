import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Row, Trajectory, Turn } from '../../../training/index.js'
import { advantagesOf } from '../../../training/metrics/advantages.js'
import { memoriesOf } from '../../../training/metrics/memories.js'
import { playedOf } from '../../../training/metrics/played.js'
import { spread } from '../../../training/metrics/statistics.js'
import { updatesOf } from '../../../training/metrics/updates.js'
import { law } from '../../law.js'

const kinds = ['memory', 'think', 'search', 'answer'] as const

const anyRow: fc.Arbitrary<Row> = fc
  .array(fc.record({ kind: fc.constantFrom(...kinds), written: fc.boolean(), advantage: fc.integer({ min: -5, max: 5 }) }))
  .map((tokens) => ({
    ...{
      prompt: [1],
      answer: tokens.map(() => 2),
      answerMask: tokens.map(({ written }) => written),
      kinds: tokens.map(({ kind }) => kind),
    },
    ...{ logProbs: [], samplingLogProbs: [], turns: [], trajectory: 0, group: 0, reward: 0, advantage: 0 },
    memoryAdvantages: [10],
    tokens: {
      advantages: tokens.map(({ advantage }) => advantage),
      spanTurn: tokens.map(({ kind }) => (kind === 'memory' ? 0 : -1)),
    },
  }))

const near = (x: number, y: number): void => expect(Math.abs(x - y)).toBeLessThan(1e-9)

law(
  'the advantage of all tokens is that of each kind, by its number of tokens; a memory has its own added',
  fc.property(fc.array(anyRow, { maxLength: 5 }), (rows) => {
    const { mean, byKind } = advantagesOf(rows)
    const tokens = rows.flatMap((row) => row.kinds.filter((_, i) => row.answerMask[i]))
    near(
      tokens.reduce((sum, kind) => sum + byKind[kind]!, 0),
      mean * tokens.length,
    )
    const bare = advantagesOf(rows.map((row) => ({ ...row, memoryAdvantages: [] })))
    for (const kind of kinds) if (kind in byKind) near(byKind[kind]! - bare.byKind[kind]!, kind === 'memory' ? 10 : 0)
  }),
)

law(
  'a spread lies between its ends, and is nothing where all are equal',
  fc.property(fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 }), (xs) => {
    const { mean, std, least, greatest } = spread(xs)
    expect(mean).toBeGreaterThanOrEqual(least - 1e-6)
    expect(mean).toBeLessThanOrEqual(greatest + 1e-6)
    expect(std).toBeLessThanOrEqual(greatest - least)
    expect(spread(xs.map(() => xs[0]!)).std).toBe(0)
  }),
)

const turn = (context: number, ids: readonly number[], of: readonly string[]): Turn => ({
  context: Array.from({ length: context }, () => 1),
  answer: { ids, logProbs: [], samplingLogProbs: [] },
  kinds: of,
})

const trajectory = (group: number, value: number, ...turns: readonly Turn[]): Trajectory<null> => ({
  ...{ group, turns, state: null },
  reward: { value, parts: { exact: value, format: 1 } },
})

const searching = (query: number) => turn(3, [7, query, 8], ['memory', 'search', 'think'])
const answering = turn(5, [4, 9], ['answer', 'answer'])

test('what was played is counted by trajectories, groups and turns', () => {
  const played = [
    trajectory(0, 1, searching(20), answering),
    trajectory(0, 0, searching(20), searching(21), answering),
    trajectory(1, 0.5, answering),
    trajectory(1, 0.5, answering),
  ]
  expect(
    playedOf(
      played,
      played.map(({ reward }) => reward.value),
    ),
  ).toEqual({
    trajectories: 4,
    reward: { mean: 0.5, std: Math.sqrt(0.125), least: 0, greatest: 1 },
    rewardParts: { exact: 0.5, format: 1 },
    groups: { count: 2, std: 0.25, withoutVariance: 0.5, distinctTrajectories: 1.5, distinctQueries: 1 },
    turns: 7 / 4,
    written: { mean: 17 / 4, greatest: 8, total: 17, memory: 1 },
    read: { mean: (8 + 11 + 5 + 5) / 4, peak: 7 },
  })
})

test('memories are worth what they add to the baseline, and a reader is judged by what it is given', () => {
  const one = { turn: 1, memory: 0.5, baseline: 0.25 }
  const made = memoriesOf(
    [
      { ...one, trajectory: 0, advantage: 1, reader: { known: 2, right: 0.5 } },
      { ...one, trajectory: 1, advantage: 1, reader: { known: 0, right: 0 } },
    ],
    [-1, 1],
  )
  expect(made).toEqual({ probability: 0.5, baseline: 0.25, reward: { mean: 0.25, std: 0 }, opposed: 0.5, reader: 0.25 })
  expect(memoriesOf([{ ...one, trajectory: 0, advantage: 1, reader: { known: 0, right: 0 } }], [1])).not.toHaveProperty('reader')
})

test('a number of a step weighs its updates by their tokens or pairs; an extreme is that of all', () => {
  const report = (weight: number, x: number, taken: boolean) => ({
    ...{ step: 1, loss: x, gradNorm: x, learningRate: 0.1, drift: x, taken },
    ...{ metrics: { entropy: x, ratioLeast: x, ratioGreatest: x }, about: { tokens: 1, rows: 1, nonEmptyRows: 1, weight } },
  })
  expect(updatesOf([report(1, 4, true), report(3, 8, false)], 5)).toEqual({
    ...{ planned: 5, tried: 2, taken: 1, learningRate: 0.1, drift: 8 },
    numbers: { loss: 7, gradNorm: 7, entropy: 7, ratioLeast: 4, ratioGreatest: 8 },
  })
})
