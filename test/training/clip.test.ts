import { expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { f32, nested, program } from '../../dsl/index.js'
import { clipByGlobalNorm } from '../../training/index.js'
import { right } from '../right.js'

const clipping = program({
  inputs: { grads: { a: f32('i', 'j'), b: [f32('i'), f32()] }, maxNorm: f32() },
  body: ({ grads, maxNorm }) => ({ outputs: { ...clipByGlobalNorm(maxNorm)(grads) } }),
})

/** Of global norm √(1 + 4 + 4 + 16) = 5. */
const clipped = (maxNorm: number, b0 = 4) => {
  const { grads, norm } = right(evaluate(clipping, { grads: { a: nested([[1, 2]]), b: [nested([b0]), 2] }, maxNorm })).outputs
  return { norm: norm.data[0], grads: [...grads.a.data, ...grads.b[0].data, ...grads.b[1].data] }
}

test('above the maximum, all gradients shrink together to it', () => {
  const { norm, grads } = clipped(2.5)
  expect(norm).toBe(5)
  grads.forEach((g, i) => expect(g).toBeCloseTo([0.5, 1, 2, 1][i]!, 6))
})

test('below the maximum they stay as they are', () => expect(clipped(6)).toEqual({ norm: 5, grads: [1, 2, 4, 2] }))

test('one that is not a number makes the norm say so', () => expect(clipped(1, NaN).norm).toBeNaN())
