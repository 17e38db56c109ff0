import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { add, defineLoss, f32, layerNorm, mul, rmsNorm, sum, type Tensor } from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { expectRightGradient } from './right-gradient.js'

type Rows = Tensor<'row' | 'n'>
type Norm = (x: Rows, weight: Tensor<'n'>, bias: Tensor<'n'>) => Rows

const epsilon = 2 ** -10
const withWeight: Norm = (x, weight) => pipe(x, rmsNorm('n', { epsilon, weight }))
const withBoth: Norm = (x, weight, bias) => pipe(x, layerNorm('n', { epsilon, weight, bias }))
const plainRms: Norm = (x) => pipe(x, rmsNorm('n', { epsilon }))
const plainLayer: Norm = (x) => pipe(x, layerNorm('n', { epsilon }))

const inputs = { x: f32('row', 'n'), weight: f32('n'), bias: f32('n') }

const valuesOf = (norm: Norm, rows: readonly (readonly number[])[], weight: readonly number[], bias: readonly number[]) =>
  elements(
    inputs,
    {
      x: { sizes: [rows.length, weight.length], data: rows.flat() },
      weight: { sizes: [weight.length], data: weight },
      bias: { sizes: [bias.length], data: bias },
    },
    (given) => norm(given.x, given.weight, given.bias),
  )

const meanOf = (x: readonly number[]): number => x.reduce((a, b) => a + b, 0) / x.length

const rms = (x: readonly number[]): readonly number[] => {
  const root = Math.sqrt(meanOf(x.map((v) => v * v)) + epsilon)
  return x.map((v) => v / root)
}

const centred = (x: readonly number[]): readonly number[] => x.map((v) => v - meanOf(x))

const number = fc.double({ min: -3, max: 3, noNaN: true })

const rowsOfNumbers = fc.integer({ min: 1, max: 5 }).chain((n) => {
  const row = fc.array(number, { minLength: n, maxLength: n })
  return fc.record({ x: fc.array(row, { minLength: 1, maxLength: 3 }), weight: row, bias: row })
})

describe.each([
  ['rmsNorm with a weight', withWeight, (x, weight) => rms(x).map((v, i) => v * weight[i]!)],
  ['rmsNorm', plainRms, rms],
  ['layerNorm with a weight and a bias', withBoth, (x, weight, bias) => rms(centred(x)).map((v, i) => v * weight[i]! + bias[i]!)],
  ['layerNorm', plainLayer, (x) => rms(centred(x))],
] as readonly (readonly [
  string,
  Norm,
  (...row: readonly [readonly number[], readonly number[], readonly number[]]) => readonly number[],
])[])('%s', (name, norm, plain) => {
  law(
    `${name} is its formula, row by row`,
    fc.property(rowsOfNumbers, ({ x, weight, bias }) => {
      const expected = x.flatMap((row) => plain(row, weight, bias))
      return valuesOf(norm, x, weight, bias).every((y, i) => Math.abs(y - expected[i]!) <= 1e-12)
    }),
  )

  test('has the gradient that differences have', () =>
    expectRightGradient(
      defineLoss({
        name,
        inputs: { ...inputs, ct: f32('row', 'n') },
        loss: ({ x, weight, bias, ct }) => pipe(mul(norm(x, add(weight, 1), bias), ct), sum('row', 'n')),
      }),
    ))
})

describe('a row', () => {
  const gradientOf = (norm: Norm, x: readonly number[]) =>
    elements({ x: f32('row', 'n'), w: f32('n') }, { x: { sizes: [1, x.length], data: x }, w: { sizes: [x.length], data: x } }, (given) =>
      grad((y: Rows) => pipe(norm(y, given.w, given.w), sum('row', 'n')))(given.x),
    )

  test('of zeros stays one under rmsNorm, and one of equal numbers is 0 under layerNorm', () => {
    expect(valuesOf(plainRms, [[0, 0]], [1, 1], [0, 0])).toEqual([0, 0])
    expect(valuesOf(plainLayer, [[3, 3]], [1, 1], [0, 0])).toEqual([0, 0])
    expect(valuesOf(withBoth, [[3]], [2], [7])).toEqual([7])
  })

  test('of zeros has a finite gradient, 1/√ε', () => expect(gradientOf(plainRms, [0, 0])).toEqual([32, 32]))

  test('of equal numbers has the gradient 0', () => expect(gradientOf(plainLayer, [3, 3])).toEqual([0, 0]))

  test('without elements has none', () => expect([plainRms, plainLayer].map((norm) => gradientOf(norm, []))).toEqual([[], []]))

  test('with a NaN is NaN, and no other row is', () =>
    expect(valuesOf(plainRms, [[1, NaN], [0, 0]], [1, 1], [0, 0])).toEqual([NaN, NaN, 0, 0])) // prettier-ignore
})
