import fc from 'fast-check'
import type { GroupSettings } from '../../../algorithms/index.js'
import { f32, i32 } from '../../../dsl/index.js'

/** Rewards of four rows in up to two groups. */
export interface Grouped {
  readonly rewards: readonly number[]
  readonly group: readonly number[]
}

export const size = 4

const four = <X>(element: fc.Arbitrary<X>): fc.Arbitrary<readonly X[]> => fc.array(element, { minLength: size, maxLength: size })

export const anyGrouped: fc.Arbitrary<Grouped> = fc.record({
  rewards: four(fc.integer({ min: -12, max: 12 }).map((quarters) => quarters / 4)),
  group: four(fc.integer({ min: 0, max: 1 })),
})

export const spec = { rewards: f32('batch'), group: i32('batch') }

export const vector = (data: readonly number[]) => ({ sizes: [data.length], data })

export const valuesOf = ({ rewards, group }: Grouped) => ({ rewards: vector(rewards), group: vector(group) })

export const sum = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0)

/** 0 of none. */
export const meanOf = (x: readonly number[]): number => sum(x) / Math.max(x.length, 1)

export const membersOf = ({ rewards, group }: Grouped, i: number): readonly number[] => rewards.filter((_, j) => group[j] === group[i])

export const othersOf = ({ rewards, group }: Grouped, i: number): readonly number[] =>
  rewards.filter((_, j) => group[j] === group[i] && j !== i)

/** Compared with the group's mean and not divided: the one that `changed` starts from. */
export const plain: GroupSettings = { scale: 'one', ddof: 0, epsilon: 0, singleton: 'reward' }
