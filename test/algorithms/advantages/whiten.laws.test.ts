import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { tokenVariance, whiten, type WhitenSettings } from '../../../algorithms/index.js'
import { bool, defineLoss, f32, maskedMean, mul, scalar, sum } from '../../../dsl/index.js'
import { expectRightGradient } from '../../dsl/right-gradient.js'
import { law } from '../../law.js'
import { close, reader, run } from '../batches.js'

const few = { runs: 40 }

describe('whitened', () => {
  const tokens = { x: f32('batch', 'time'), mask: bool('batch', 'time') }
  const anyWhitened = fc.integer({ min: 1, max: 4 }).chain((batch) =>
    fc
      .array(fc.tuple(fc.integer({ min: -8, max: 8 }), fc.constantFrom(0, 1)), { minLength: batch * 3, maxLength: batch * 3 })
      .map((cells) => ({
        x: { sizes: [batch, 3], data: cells.map(([x]) => x / 4) },
        mask: { sizes: [batch, 3], data: cells.map(([, m]) => m) },
      })),
  )
  const exact: WhitenSettings = { ddof: 0, epsilon: 1e-12 }
  const moments = ([0, 1] as const).map((ddof) =>
    reader(tokens, ({ x, mask }) => {
      const y = pipe(x, whiten({ ...exact, ddof })(mask))
      return {
        mean: pipe(y, maskedMean(mask, 'batch', 'time')),
        variance: tokenVariance({ ddof })(mask)(y),
        spread: tokenVariance({ ddof })(mask)(x),
      }
    }),
  )
  const shiftedAndNot = reader(tokens, ({ x, mask }) => ({
    shifted: pipe(x, whiten(exact)(mask)),
    kept: pipe(x, whiten({ ...exact, shift: false })(mask)),
    mean: pipe(x, maskedMean(mask, 'batch', 'time')),
  }))

  law(
    'response tokens have mean 0, and variance 1 unless they are equal',
    fc.property(anyWhitened, fc.constantFrom(...moments), (values, momentsOf) => {
      const { mean, variance, spread } = momentsOf(values)
      return Math.abs(mean.data[0]!) < 1e-9 && Math.abs(variance.data[0]! - (spread.data[0]! === 0 ? 0 : 1)) < 1e-9
    }),
    few,
  )

  law(
    'without the shift they keep their mean and differ from the others by it',
    fc.property(anyWhitened, (values) => {
      const { shifted, kept, mean } = shiftedAndNot(values)
      return kept.data.every((y, i) => close(y, values.mask.data[i] === 1 ? shifted.data[i]! + mean.data[0]! : 0))
    }),
    few,
  )

  test('one token alone is 0, whatever ddof is', () => {
    const values = { x: { sizes: [1, 2], data: [5, 7] }, mask: { sizes: [1, 2], data: [1, 0] } }
    const made = run(tokens, values, ({ x, mask }) => ({ y: pipe(x, whiten({ ddof: 1, epsilon: 1e-8 })(mask)) }))
    expect([...made.y.data]).toEqual([0, 0])
  })

  test('a row has another value in another batch', () => {
    const of = (data: readonly number[]) => {
      const sizes = [data.length / 2, 2]
      const values = { x: { sizes, data }, mask: { sizes, data: data.map(() => 1) } }
      return run(tokens, values, ({ x, mask }) => ({ y: pipe(x, whiten(exact)(mask)) })).y.data[0]!
    }
    expect(of([1, 2])).toBeCloseTo(-1, 9)
    expect(of([1, 2, 3, 4])).toBeCloseTo(-1.5 / Math.sqrt(1.25), 9)
  })

  test.each<WhitenSettings>([
    { ddof: 0, epsilon: 0.1 },
    { ddof: 1, epsilon: 0.1, shift: false },
    { ddof: 1, epsilon: 0.1, outside: 'whitened' },
  ])('has the gradient that differences have: %o', (settings) =>
    expectRightGradient(
      defineLoss({
        name: 'whitened',
        inputs: { ...tokens, weights: f32('batch', 'time') },
        loss: ({ x, mask, weights }) => mul(scalar(0.5), pipe(mul(weights, pipe(x, whiten(settings)(mask))), sum('batch', 'time'))),
      }),
    ),
  )
})
