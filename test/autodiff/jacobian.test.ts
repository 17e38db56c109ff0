import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { grad, hvp, jacobian, type Mode } from '../../autodiff/index.js'
import {
  checkpoint,
  contract,
  custom,
  exp,
  f32,
  graphErrors,
  max,
  mul,
  nested,
  program,
  rename,
  type Scalar,
  sigmoid,
  slice,
  softmax,
  stopGradient,
  sum,
  tanh,
  type Tensor,
} from '../../dsl/index.js'
import { run } from './run.js'

type Embed = Tensor<'embed'>

const inputs = { x: f32('embed'), w: f32('embed', 'vocab') }
const values = { x: nested([0.5, -1, 2]), w: nested([[1, 2], [3, -4], [0.25, 6]]) } // prettier-ignore

const square = custom({ name: 'square', forward: (y: Embed) => mul(y, y), vjp: (ct, _y, y) => [mul(ct, mul(2, y))] })

describe.each<Mode>(['forward', 'reverse'])('the Jacobian by %s mode', (mode) => {
  test('of a linear function is its matrix', () => {
    const [made] = run(inputs, values, ({ x, w }) => {
      const all = jacobian((y: Embed) => contract('embed')(y, w), mode)(x)
      expectTypeOf(all).toEqualTypeOf<Tensor<'vocab' | '∂embed'>>()
      return [all]
    })

    expect(made).toMatchObject({ axes: ['vocab', '∂embed'], sizes: [2, 3], data: Float64Array.of(1, 3, 0.25, 2, -4, 6) })
  })

  test('of a function of each element is diagonal, and of a scalar by a scalar its derivative', () => {
    const made = run({ ...inputs, t: f32() }, { ...values, t: 2 }, ({ x, t }) => [
      jacobian(exp<'embed'>, mode)(x),
      jacobian((s: Scalar) => mul(mul(s, s), s), mode)(t),
    ])

    expect(Array.from(made[0]!.data)).toEqual([Math.exp(0.5), 0, 0, 0, Math.exp(-1), 0, 0, 0, Math.exp(2)])
    expect(made[1]).toMatchObject({ axes: [], data: Float64Array.of(12) })
  })

  test('of softmax is p·(1{i = j} − p′)', () => {
    const [p, made] = run(inputs, values, ({ x }) => [softmax('embed')(x), jacobian(softmax('embed')<never>, mode)(x)])

    for (const i of [0, 1, 2])
      for (const j of [0, 1, 2]) expect(made!.data[3 * i + j]).toBeCloseTo(p!.data[i]! * ((i === j ? 1 : 0) - p!.data[j]!), 14)
  })

  test('of a scalar function is its gradient, and of a gradient the Hessian', () => {
    const f = (y: Embed): Scalar => pipe(mul(tanh(y), pipe(y, softmax('embed'))), sum('embed'))
    const [gradient, row, hessian, times] = run(inputs, values, ({ x }) => [
      grad(f)(x),
      jacobian(f, mode)(x),
      jacobian(grad(f), mode)(x),
      hvp(f)(x)(x),
    ])
    const h = (i: number, j: number) => hessian!.data[3 * i + j]!
    const x = values.x.data

    for (const i of [0, 1, 2]) {
      expect(row!.data[i]).toBeCloseTo(gradient!.data[i]!, 14)
      for (const j of [0, 1, 2]) expect(h(i, j)).toBeCloseTo(h(j, i), 14)
      expect(h(i, 0) * x[0]! + h(i, 1) * x[1]! + h(i, 2) * x[2]!).toBeCloseTo(times!.data[i]!, 14)
    }
  })

  test.each<readonly [string, (y: Embed, w: Tensor<'embed' | 'vocab'>) => Tensor<'embed'>]>([
    ['contractions there and back', (y, w) => contract('vocab')(sigmoid(contract('embed')(y, w)), w)],
    ['a maximum', (y) => mul(y, pipe(y, max('embed')))],
    ['a slice', (y) => mul(y, pipe(y, slice('embed', { from: 1, to: 2 }), sum('embed')))],
    ['a checkpoint and a custom derivative', (y) => checkpoint((z: Embed) => mul(square(z), tanh(z)))(y)],
  ])('is what central differences tend to: %s', (_, f) => {
    const h = 2 ** -17
    const at = (i: number, by: number) => nested(Array.from(values.x.data, (x, j) => (i === j ? x + by : x)))
    const value = (x: typeof values.x) => run(inputs, { ...values, x }, ({ x: y, w }) => [f(y, w)])[0]!.data
    const [made] = run(inputs, values, ({ x, w }) => [jacobian((y: Embed) => f(y, w), mode)(x)])

    expect(made!.axes).toEqual(['embed', '∂embed'])
    for (const j of [0, 1, 2]) {
      const [up, down] = [value(at(j, h)), value(at(j, -h))]
      for (const i of [0, 1, 2]) expect(made!.data[3 * i + j]).toBeCloseTo((up[i]! - down[i]!) / (2 * h), 8)
    }
  })

  test('by a tensor of two axes has the two again', () => {
    const [made] = run({ m: f32('row', 'column') }, { m: nested([[1, 2], [3, 4]]) }, ({ m }) => {
      const all = jacobian((n: typeof m) => pipe(mul(n, n), sum('column')), mode)(m)
      expectTypeOf(all).toEqualTypeOf<Tensor<'row' | '∂row' | '∂column'>>()
      return [all]
    }) // prettier-ignore

    expect(made).toMatchObject({ axes: ['row', '∂row', '∂column'], data: Float64Array.of(2, 4, 0, 0, 0, 0, 6, 8) })
  })

  test('of trees has for each result what each parameter does to it', () => {
    interface Params {
      readonly x: Embed
      readonly rest: readonly [Scalar]
    }
    const f = ({ x, rest: [t] }: Params) => ({ scaled: mul(x, t), sides: [mul(t, t), stopGradient(pipe(x, sum('embed')))] as const })
    const made = run({ x: f32('embed'), rest: [f32()] } as const, { x: nested([1, 2]), rest: [3] }, (params) => {
      const all = jacobian(f, mode)(params)
      expectTypeOf(all.scaled.x).toEqualTypeOf<Tensor<'embed' | '∂embed'>>()
      expectTypeOf(all.scaled.rest[0]).toEqualTypeOf<Embed>()
      expectTypeOf(all.sides[1].x).toEqualTypeOf<Tensor<'∂embed'>>()
      return all
    })

    expect(made.map(({ axes, data }) => [axes, Array.from(data)])).toEqual([
      [['embed', '∂embed'], [3, 0, 0, 3]],
      [['embed'], [1, 2]],
      [['∂embed'], [0, 0]],
      [[], [6]],
      [['∂embed'], [0, 0]],
      [[], [0]],
    ]) // prettier-ignore
  })

  test('by tensors that have such names, and over no elements', () => {
    const made = run({ h: f32('∂a', 'a'), none: f32('b') }, { h: nested([[1, 2], [3, 4]]), none: { sizes: [0], data: [] } }, ({ h, none }) => [
      jacobian((g: typeof h) => pipe(mul(g, g), sum('a', '∂a')), mode)(h),
      jacobian((g: typeof none) => pipe(g, sum('b')), mode)(none),
    ]) // prettier-ignore

    expect(made).toMatchObject([
      { axes: ['∂∂a', '∂a'], data: Float64Array.of(2, 4, 6, 8) },
      { axes: ['∂b'], sizes: [0] },
    ])
  })

  test('of another needs a new name for the axis', () => {
    const first = jacobian((y: Embed) => exp(y), mode)
    const errors = (f: (x: Embed) => Tensor<'embed' | '∂embed'> | Tensor<'embed' | 'first'>) =>
      graphErrors(program({ inputs, body: ({ x }) => ({ outputs: { y: jacobian(f as (y: Embed) => Embed, mode)(x) } }) }))

    expect(errors(first)).toMatchObject([{ tag: 'axisExists', op: 'jacobian', axis: '∂embed' }])
    expect(errors((y) => pipe(first(y), rename({ '∂embed': 'first' })))).toEqual([])
  })
})

test('a vjp that is not linear has no forward mode, but a reverse', () => {
  const signed = custom({ name: 'signed', forward: (y: Embed) => mul(y, 2), vjp: (ct) => [mul(ct, ct)] })
  const errors = (mode: Mode) =>
    graphErrors(program({ inputs, body: ({ x }) => ({ outputs: { y: jacobian((y: Embed) => signed(y), mode)(x) } }) }))

  expect(errors('forward')).toMatchObject([{ tag: 'notLinear', op: "custom 'signed'" }])
  expect(errors('reverse')).toEqual([])
})

test('an integer has no Jacobian: a type error', () => {
  const check = (x: Embed, ids: Tensor<'embed', 'i32'>): void => {
    // @ts-expect-error only f32 tensors have a gradient
    jacobian(() => x)(ids)
    // @ts-expect-error a result is of floats
    jacobian((y: Embed) => ({ y, ids }))(x)
  }
  expect(check).toBeTypeOf('function')
})
