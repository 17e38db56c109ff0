import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { grad, jvp, valueAndGrad, vjp } from '../../autodiff/index.js'
import { add, contract, f32, mul, type Scalar, sum, tanh, type Tensor } from '../../dsl/index.js'
import { run } from './run.js'

interface Layer {
  readonly weight: Tensor<'in' | 'out'>
  readonly bias: Tensor<'out'>
}

interface Model {
  readonly layers: readonly Layer[]
  readonly scale: Scalar
}

const specs = {
  layers: [
    { weight: f32({ in: 2, out: 2 }), bias: f32({ out: 2 }) },
    { weight: f32({ in: 2, out: 2 }), bias: f32({ out: 2 }) },
  ],
  scale: f32(),
} as const

const matrix = (...data: readonly number[]) => ({ sizes: [2, 2], data })
const vector = (...data: readonly number[]) => ({ sizes: [2], data })

const values = {
  layers: [
    { weight: matrix(1, 2, 3, 4), bias: vector(1, -1) },
    { weight: matrix(0, 1, 1, 0), bias: vector(2, 0.5) },
  ],
  scale: 3,
}

/** scale · Σ over layers of Σ (weight·weight + bias) */
const energy = ({ layers, scale }: Model): Scalar =>
  layers
    .map(({ weight, bias }) => add(contract('in', 'out')(weight, weight), pipe(bias, sum('out'))))
    .reduce((total, term) => add(total, mul(scale, term)), mul(scale, 0))

describe('a tree of parameters', () => {
  test('has a gradient like itself', () => {
    const made = run(specs, values, (model) => {
      const gradient = grad(energy)(model)
      expectTypeOf(gradient).toEqualTypeOf<Model>()
      return gradient
    })

    expect(made.map(({ axes, data }) => [axes, Array.from(data)])).toEqual([
      [
        ['in', 'out'],
        [6, 12, 18, 24],
      ],
      [['out'], [3, 3]],
      [
        ['in', 'out'],
        [0, 6, 6, 0],
      ],
      [['out'], [3, 3]],
      [[], [30 + 0 + 2 + 2.5]],
    ])
  })

  test('has its value and its gradient from one sweep', () => {
    const [value, first] = run(specs, values, (model) => {
      const { value, grad: gradient } = valueAndGrad(energy)(model)
      return [value, gradient.scale]
    })

    expect([value!.data[0], first!.data[0]]).toEqual([3 * 34.5, 34.5])
  })

  test('moves in the direction of another like it', () => {
    const [tangent] = run(specs, values, (model) => jvp(energy, model, model).tangent)

    expect(tangent!.data[0]).toBe(34.5 * 3 + 3 * (2 * 30 + 0) + 3 * (2 * 2) + 3 * 2.5)
  })

  test('an array of tensors, and a function of several results', () => {
    const made = run({ x: f32('time'), y: f32('time') }, { x: vector(1, 2), y: vector(3, 4) }, ({ x, y }) => {
      const { pull } = vjp(([a, b]: readonly [typeof x, typeof y]) => ({ product: mul(a, b), twice: add(a, a) }), [x, y])
      return [...pull({ product: x, twice: y })]
    })

    expect(made.map(({ data }) => Array.from(data))).toEqual([
      [3 + 6, 8 + 8],
      [1, 4],
    ])
  })
})

describe('a stray leaf meets a sentence', () => {
  const f = (_: unknown): Scalar => tanh(f32() as never)

  test('types', () => {
    const check = (): void => {
      // @ts-expect-error only f32 tensors have a gradient
      grad(f as (p: { ids: Tensor<'time', 'i32'> }) => Scalar)({} as { ids: Tensor<'time', 'i32'> })
      // @ts-expect-error a parameter tree holds tensors, records and arrays
      grad(f as (p: { rate: number }) => Scalar)({ rate: 1 })
    }
    expect(check).toBeTypeOf('function')
  })
})
