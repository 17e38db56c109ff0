import { expect, test } from 'vitest'
import { nested } from '../../dsl/index.js'

test.each([
  ['a number', 3, { sizes: [], data: [3] }],
  ['rows', [[1, 2], [3, 4]], { sizes: [2, 2], data: [1, 2, 3, 4] }], // prettier-ignore
  ['true and false', [true, false], { sizes: [2], data: [1, 0] }],
  ['nothing', [], { sizes: [0], data: [] }],
  ['rows of nothing', [[], []], { sizes: [2, 0], data: [] }],
] as const)('%s as a value', (_what, given, value) => {
  expect(nested(given)).toEqual(value)
})

test.each([
  ['too few', [[1, 2], [3]]],
  ['as many in all', [[1, 2], [3], [4, 5, 6]]],
  ['a number among rows', [[1], 2]],
] as const)('ragged rows, %s, have no sizes that fit', (_what, given) => {
  const { sizes, data } = nested(given)
  expect(data.length).not.toBe(sizes.reduce((p, q) => p * q, 1))
})
