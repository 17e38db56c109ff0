import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { expect, test } from 'vitest'
import { evaluate } from '../../../backends/cpu/evaluate.js'
import { bool, contract, f32, i32, mean, mul, nested, program, sum, tokenLogProbs, where } from '../../../dsl/index.js'

test('a program of most of the vocabulary', () => {
  const p = program({
    inputs: { logits: f32('batch', 'vocab'), ids: i32('batch'), mask: bool('batch'), w: f32({ vocab: 3, out: 2 }) },
    state: { count: f32() },
    body: ({ logits, ids, mask, w }, { count }) => ({
      outputs: {
        masked: pipe(logits, tokenLogProbs('vocab')(ids), where(mask), sum('batch')),
        mean: pipe(logits, mean('vocab')),
        contracted: contract('vocab')(logits, w),
      },
      state: { count: mul(count, 2) },
    }),
  })
  const logits = nested([
    [1, 2, 3],
    [1, 1, 1],
  ])
  const w = nested([
    [1, 0],
    [0, 1],
    [1, 1],
  ])
  const run = evaluate(p, { logits, ids: nested([0, 1]), mask: nested([1, 0]), w }, { count: 3 })
  const logSum = Math.log(Math.exp(-2) + Math.exp(-1) + 1) + 3
  expect(run).toEqual(
    E.right({
      outputs: {
        masked: { axes: [], sizes: [], data: Float64Array.of(1 - logSum) },
        mean: { axes: ['batch'], sizes: [2], data: Float64Array.of(2, 1) },
        contracted: { axes: ['batch', 'out'], sizes: [2, 2], data: Float64Array.of(4, 5, 2, 2) },
      },
      state: { count: { axes: [], sizes: [], data: Float64Array.of(6) } },
    }),
  )
})
