import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { advantagesOfSum, batchAdvantages, groupAdvantages, type GroupSettings, sumOfAdvantages } from '../../../algorithms/index.js'
import { f32, i32, type Value } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { allClose, close, reader } from '../batches.js'
import { anyGrouped, plain, size, spec, valuesOf, vector } from './grouped.js'

const few = { runs: 50 }

describe('several rewards', () => {
  const several = { rewards: f32('batch', 'reward'), weights: f32('reward'), group: i32('batch') }
  const settings: GroupSettings = { ...plain, scale: 'deviation', epsilon: 0.1, singleton: 'zero' }
  const both = reader(several, ({ rewards, weights, group }) => ({
    ofSum: advantagesOfSum(settings)(rewards, weights, group),
    sumOf: sumOfAdvantages(settings)(rewards, weights, group),
  }))
  const single = reader(spec, ({ rewards, group }) => {
    const each = groupAdvantages(settings)(rewards, group)
    return { each, whole: batchAdvantages(settings)(each) }
  })
  const columns = (...names: readonly (readonly number[])[]) => ({
    sizes: [size, names.length],
    data: Array.from({ length: size }, (_, b) => names.map((x) => x[b]!)).flat(),
  })

  law(
    'of which one counts and the other is missing are one reward',
    fc.property(anyGrouped, (grouped) => {
      const { group, rewards } = valuesOf(grouped)
      const missing = rewards.data.map(() => NaN)
      const made = both({ rewards: columns(rewards.data, missing), weights: { sizes: [2], data: [1, 5] }, group })
      const { each, whole } = single({ rewards, group })
      return allClose(made.ofSum, each) && allClose(made.sumOf, whole)
    }),
    few,
  )

  law(
    'leave out a row of which nothing was said: it has 0, and the others are as without it',
    fc.property(anyGrouped, fc.nat({ max: size - 1 }), (grouped, lost) => {
      const { group, rewards } = valuesOf(grouped)
      const said = rewards.data.map((r, i) => (i === lost ? NaN : r))
      const { ofSum } = both({ rewards: columns(said, said), weights: { sizes: [2], data: [0.5, 0.5] }, group })
      const without = { rewards: grouped.rewards.filter((_, i) => i !== lost), group: grouped.group.filter((_, i) => i !== lost) }
      const others = single({ rewards: vector(without.rewards), group: vector(without.group) }).each.data
      const places = grouped.rewards.flatMap((_, i) => (i === lost ? [] : [i]))
      return ofSum.data[lost] === 0 && places.every((i, at) => close(ofSum.data[i]!, others[at]!))
    }),
    few,
  )

  test('compared apart weigh the same, whatever their units are; added first, the greater counts alone', () => {
    const group = vector([0, 0, 0, 0])
    const made = both({ rewards: columns([1000, 0, 1000, 0], [1, 1, 0, 0]), weights: vector([1, 1]), group })
    const ratio = (x: Value): number => x.data[2]! / x.data[0]!
    expect(ratio(made.ofSum)).toBeGreaterThan(0.99)
    expect(Math.abs(ratio(made.sumOf))).toBeLessThan(0.2)
  })
})
