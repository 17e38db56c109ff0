import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { grad } from '../../autodiff/index.js'
import { add, defineLoss, f32, gelu, mul, relu, silu, sum, type Tensor } from '../../dsl/index.js'
import { elements } from '../autodiff/run.js'
import { law } from '../law.js'
import { expectRightGradient } from './right-gradient.js'

type Activation = (x: Tensor<'n'>) => Tensor<'n'>

const line = (data: readonly number[]) => ({ sizes: [data.length], data })

const valuesOf = (f: Activation, x: readonly number[]): readonly number[] =>
  elements({ x: f32('n') }, { x: line(x) }, (given) => f(given.x))

const slopesOf = (f: Activation, x: readonly number[]): readonly number[] =>
  elements({ x: f32('n') }, { x: line(x) }, (given) => grad((y: Tensor<'n'>) => pipe(f(y), sum('n')))(given.x))

/** Φ(x) = ½ + φ(x)·(x + x³/3 + x⁵/(3·5) + …). */
const cumulative = (x: number): number => {
  let term = x
  let total = x
  for (let n = 3; total + term !== total; n += 2) {
    term *= (x * x) / n
    total += term
  }
  return 0.5 + (total * Math.exp((-x * x) / 2)) / Math.sqrt(2 * Math.PI)
}

const byTanh = (x: number): number => 0.5 * (1 + Math.tanh(Math.sqrt(2 / Math.PI) * (x + 0.044715 * x ** 3)))

const table: readonly (readonly [name: string, f: Activation, plain: (x: number) => number])[] = [
  ['relu', relu, (x) => (x > 0 ? x : 0)],
  ['silu', silu, (x) => x / (1 + Math.exp(-x))],
  ['gelu', gelu({ approximate: 'none' }), (x) => x * cumulative(x)],
  ['gelu by tanh', gelu({ approximate: 'tanh' }), (x) => x * byTanh(x)],
]

describe.each(table)('%s', (name, f, plain) => {
  law(
    `${name} is its formula`,
    fc.property(fc.array(fc.double({ min: -5, max: 5, noNaN: true }), { maxLength: 5 }), (x) =>
      valuesOf(f, x).every((y, i) => Math.abs(y - plain(x[i]!)) <= 1e-12),
    ),
  )

  test('has the gradient that differences have', () =>
    expectRightGradient(
      defineLoss({
        name,
        inputs: { x: f32('n'), weights: f32('n') },
        loss: ({ x, weights }) => pipe(mul(f(add(x, weights)), weights), sum('n')),
      }),
    ))
})

test('the approximation of gelu is off by 5e-4 at most', () => {
  const x = Array.from({ length: 1001 }, (_, i) => (i - 500) / 100)
  const off = valuesOf((y) => add(gelu({ approximate: 'none' })(y), mul(-1, gelu({ approximate: 'tanh' })(y))), x).map(Math.abs)
  expect(Math.max(...off)).toBeLessThan(5e-4)
  expect(Math.max(...off)).toBeGreaterThan(4e-4)
})

describe('at the edges', () => {
  const edges = [-Infinity, 0, Infinity, NaN]

  test.each([
    ['relu', relu, [0, 0, Infinity, NaN]],
    ['silu', silu, [NaN, 0, Infinity, NaN]],
    ['gelu', gelu({ approximate: 'none' }), [NaN, 0, Infinity, NaN]],
    ['gelu by tanh', gelu({ approximate: 'tanh' }), [NaN, 0, Infinity, NaN]],
  ] as const)('%s of −∞, 0, ∞ and NaN', (_, f, expected) => expect(valuesOf(f, edges)).toEqual(expected))

  test('the slopes at 0 are 0 for relu and ½ for the smooth ones', () =>
    expect(table.map(([, f]) => slopesOf(f, [0])[0])).toEqual([0, 0.5, 0.5, 0.5]))

  test('no element has no activation', () => expect(table.flatMap(([, f]) => valuesOf(f, []))).toEqual([]))
})
