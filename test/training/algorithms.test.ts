import { expect, test } from 'vitest'
import { openCpu } from '../../backends/cpu/index.js'
import { cases, learnt, rewardsOf, rowOf, warmStarts } from '../../scripts/algorithms.js'

test('GRPO raises what a policy earns, and the table says so', { timeout: 180_000 }, async () => {
  const device = openCpu()
  const [grpo] = cases
  const starts = await warmStarts(device, grpo!, 2)
  const runs = await rewardsOf(device, { ...grpo!, changed: { steps: 16, learningRate: 2e-3 } }, starts).finally(() => device.release())
  const { first, last, gain } = learnt(runs)
  expect(runs.map(({ length }) => length)).toEqual([16, 16])
  expect(gain).toBeCloseTo(last - first, 10)
  expect(gain).toBeGreaterThan(0)
  expect(rowOf(grpo!, { first: 0.25, last: 0.5, gain: 0.25, error: 0.05 })).toBe(
    '| grpo | Countdown, 2 numbers | 1e-3 | 0.250 | 0.500 | 0.250 ± 0.050 | 5.0 |',
  )
})

test('a gain is the mean over runs of last less first, and its error that of a sample', () => {
  expect(learnt([Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 1)), Array.from({ length: 40 }, (_, i) => (i < 20 ? 0 : 2))])).toEqual({
    ...{ first: 0, last: 1.5, gain: 1.5, error: 0.5 },
  })
})
