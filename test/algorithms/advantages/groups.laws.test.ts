import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe } from 'vitest'
import {
  groupAdvantages,
  gpgAdvantages,
  type GroupSettings,
  opoAdvantages,
  passAtKAdvantages,
  presets,
  uniformGroups,
} from '../../../algorithms/index.js'
import { iota, sizeAlong, type Tensor, toF32, withinLength } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { between, close, reader, run } from '../batches.js'
import { anyGrouped, type Grouped, meanOf, membersOf, othersOf, plain, size, spec, sum, valuesOf } from './grouped.js'

/** What an estimator says of each row, each pair with what plain numbers say. */
const saysOf = (
  advantages: (rewards: Tensor<'batch'>, group: Tensor<'batch', 'i32'>) => Tensor<'batch'>,
  expected: (grouped: Grouped, i: number) => number,
) => {
  const of = reader(spec, ({ rewards, group }) => ({ a: advantages(rewards, group) }))
  return fc.property(anyGrouped, (grouped) => [...of(valuesOf(grouped)).a.data].every((a, i) => close(a, expected(grouped, i))))
}

const few = { runs: 50 }

describe('group advantages', () => {
  const anySettings = fc.constantFrom(...Object.values(presets)).map(({ advantages }): GroupSettings => advantages)

  const advantagesOf = (settings: GroupSettings, grouped: Grouped): readonly number[] => [
    ...run(spec, valuesOf(grouped), ({ rewards, group }) => ({ a: groupAdvantages(settings)(rewards, group) })).a.data,
  ]

  /** Whether the law holds of every row that is not alone in its group. */
  const ofTogether = (grouped: Grouped, holds: (i: number) => boolean): boolean =>
    grouped.rewards.every((_, i) => othersOf(grouped, i).length === 0 || holds(i))

  law(
    'of two or more do not change with a shift of the rewards',
    fc.property(anyGrouped, anySettings, between(-10, 10), (grouped, settings, shift) => {
      const a = advantagesOf(settings, grouped)
      const moved = advantagesOf(settings, { ...grouped, rewards: grouped.rewards.map((r) => r + shift) })
      // A few roundings of numbers up to 13, divided by no less than ε.
      const bound = (16 * 13 * Number.EPSILON) / (settings.scale === 'one' ? 1 : settings.epsilon)
      return ofTogether(grouped, (i) => Math.abs(a[i]! - moved[i]!) <= bound)
    }),
    few,
  )

  law(
    'of two or more are the same in any unit of the rewards and of ε, or in that unit where nothing divides',
    fc.property(anyGrouped, anySettings, fc.constantFrom(0.125, 0.5, 2, 16), (grouped, settings, unit) => {
      const a = advantagesOf(settings, grouped)
      const scaled = { ...grouped, rewards: grouped.rewards.map((r) => unit * r) }
      const other = advantagesOf({ ...settings, epsilon: unit * settings.epsilon }, scaled)
      return ofTogether(grouped, (i) => other[i] === a[i]! * (settings.scale === 'one' ? unit : 1))
    }),
    few,
  )

  law(
    'with the others as baseline are the distances from the mean of the others',
    saysOf(
      (rewards, group) => groupAdvantages({ ...plain, baseline: 'others' })(rewards, group),
      (grouped, i) => grouped.rewards[i]! - meanOf(othersOf(grouped, i)),
    ),
    few,
  )

  law(
    'by the deviation of the batch are the distances from the group’s mean over it',
    saysOf(
      (rewards, group) => groupAdvantages({ ...plain, scale: 'batchDeviation', epsilon: 0.1 })(rewards, group),
      (grouped, i) => {
        const distance = othersOf(grouped, i).length === 0 ? grouped.rewards[i]! : grouped.rewards[i]! - meanOf(membersOf(grouped, i))
        const mean = meanOf(grouped.rewards)
        return distance / (Math.sqrt(meanOf(grouped.rewards.map((r) => (r - mean) ** 2))) + 0.1)
      },
    ),
    few,
  )
})

describe('other advantages by group', () => {
  law(
    'for being right once in k the best has what it has over the second, the others nothing',
    saysOf(
      (rewards, group) => passAtKAdvantages(plain)(rewards, group),
      (grouped, i) => {
        const others = othersOf(grouped, i)
        return others.length === 0 ? grouped.rewards[i]! : Math.max(grouped.rewards[i]! - Math.max(...others), 0)
      },
    ),
    few,
  )

  const lengths = [0, 1, 2, 3]

  law(
    'with the optimal reward baseline a response weighs in the mean as much as it is long',
    saysOf(
      (rewards, group) => {
        const mask = pipe(iota('batch', sizeAlong('batch')(rewards)), withinLength('time', { size: 3 }))
        return opoAdvantages({ singleton: 'reward' })(mask)(rewards, group)
      },
      ({ rewards, group }, i) => {
        const members = rewards.flatMap((r, j) => (group[j] === group[i] ? [[r, lengths[j]!] as const] : []))
        const baseline = sum(members.map(([r, n]) => r * n)) / Math.max(sum(members.map(([, n]) => n)), 1)
        return members.length === 1 ? rewards[i]! : rewards[i]! - baseline
      },
    ),
    few,
  )

  law(
    'GPG’s are the distances from the mean, times the rows for each reward that is not 0',
    saysOf(
      (rewards, group) => gpgAdvantages({ singleton: 'zero', divisor: 2 })(rewards, group),
      (grouped, i) => {
        const earned = grouped.rewards.filter((r) => r !== 0).length
        return othersOf(grouped, i).length === 0
          ? 0
          : ((grouped.rewards[i]! - meanOf(membersOf(grouped, i))) * size) / Math.max(earned, 1) / 2
      },
    ),
    few,
  )

  law(
    'a group is uniform where all of it have one reward',
    saysOf(
      (rewards, group) => toF32(uniformGroups(rewards, group)),
      (grouped, i) => Number(new Set(membersOf(grouped, i)).size === 1),
    ),
    few,
  )
})
