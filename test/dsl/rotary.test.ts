import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../backends/cpu/evaluate.js'
import { contract, defineLoss, f32, graphErrors, i32, mul, program, rename, rotary, sum } from '../../dsl/index.js'
import { law } from '../law.js'
import { right } from '../right.js'
import { expectRightGradient } from './right-gradient.js'

const base = 100

/** One vector at one position, by complex numbers: (a + ib)·e^(i·angle). */
const plain = (x: readonly number[], position: number): readonly number[] => {
  const half = x.length / 2
  const turned = Array.from({ length: half }, (_, i) => {
    const angle = position * base ** (-i / half)
    const [a, b] = [x[i]!, x[i + half]!]
    return [a * Math.cos(angle) - b * Math.sin(angle), b * Math.cos(angle) + a * Math.sin(angle)] as const
  })
  return [...turned.map(([a]) => a), ...turned.map(([, b]) => b)]
}

const number = fc.integer({ min: -8, max: 8 }).map((n) => n / 4)

const anySequence = fc.integer({ min: 0, max: 3 }).chain((half) =>
  fc.array(fc.tuple(fc.array(number, { minLength: 2 * half, maxLength: 2 * half }), fc.integer({ min: -3, max: 50 })), {
    minLength: 1,
    maxLength: 4,
  }),
)

const inputs = { x: f32('time', 'dim'), at: i32('time') }

const turning = program({
  inputs,
  body: ({ x, at }) => ({
    outputs: {
      counted: rotary('dim', { base, positions: 'time' })(x),
      given: rotary('dim', { base, positions: at })(x),
    },
  }),
})

law(
  'a vector turns by its position, which is its place or the one given',
  fc.property(anySequence, (sequence) => {
    const x = { sizes: [sequence.length, sequence[0]![0].length], data: sequence.flatMap(([vector]) => vector) }
    const at = { sizes: [sequence.length], data: sequence.map(([, position]) => position) }
    const { counted, given } = right(evaluate(turning, { x, at })).outputs
    const close = (got: { readonly data: ArrayLike<number> }, positionOf: (place: number) => number): boolean =>
      sequence.flatMap(([vector], t) => plain(vector, positionOf(t))).every((v, i) => Math.abs(v - got.data[i]!) <= 1e-12)
    return close(counted, (t) => t) && close(given, (t) => sequence[t]![1])
  }),
)

const products = program({
  inputs,
  body: ({ x, at }) => {
    const turned = rotary('dim', { base, positions: at })(x)
    return { outputs: { products: contract('dim')(turned, pipe(turned, rename({ time: 'key' }))) } }
  },
})

law(
  'the product of two turned vectors depends on the distance of their positions alone',
  fc.property(fc.array(number, { minLength: 8, maxLength: 8 }), fc.integer({ min: -20, max: 20 }), (data, shift) => {
    const productsAt = (positions: readonly number[]) =>
      right(evaluate(products, { x: { sizes: [2, 4], data }, at: { sizes: [2], data: positions } })).outputs.products.data
    const moved = productsAt([shift, 3 + shift])
    return Array.from(productsAt([0, 3])).every((v, i) => Math.abs(v - moved[i]!) <= 1e-12)
  }),
)

test('has the gradient that differences have', () =>
  expectRightGradient(
    defineLoss({
      name: 'rotary',
      inputs: { x: f32({ batch: 2, time: 3, dim: 4 }), at: i32({ batch: 2, time: 3 }), weights: f32({ batch: 2, time: 3, dim: 4 }) },
      loss: ({ x, at, weights }) =>
        pipe(
          mul(mul(rotary('dim', { base, positions: at })(x), rotary('dim', { base, positions: 'time' })(x)), weights),
          sum('batch', 'time', 'dim'),
        ),
    }),
    { runs: 6 },
  ))

describe('an axis of an odd size', () => {
  test('that is known is an error of the program', () =>
    expect(
      graphErrors(
        program({
          inputs: { x: f32({ time: 2, dim: 3 }) },
          body: ({ x }) => ({ outputs: { y: rotary('dim', { base, positions: 'time' })(x) } }),
        }),
      ).map(({ tag }) => tag),
    ).toEqual(['doesNotDivide']))

  test('that is open is refused when it is bound', () => {
    const made = evaluate(turning, { x: { sizes: [1, 3], data: [1, 2, 3] }, at: { sizes: [1], data: [0] } })
    expect(E.isLeft(made) && [...new Set(made.left.map(({ tag }) => tag))]).toEqual(['doesNotDivideOnceBound'])
  })
})
