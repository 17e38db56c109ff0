import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { grad, jvp, valueAndGrad } from '../../autodiff/index.js'
import {
  add,
  bool,
  equal,
  exp,
  f32,
  gather,
  i32,
  log,
  max,
  mean,
  mul,
  type Scalar,
  scatterAdd,
  sqrt,
  stopGradient,
  sub,
  sum,
  type Tensor,
  toF32,
  where,
} from '../../dsl/index.js'
import { elements, run } from './run.js'
import { derivatives, meanings } from './semantics.js'

const line = (data: readonly number[]) => ({ sizes: [data.length], data })

const gradientOf = (f: (x: Tensor<'time'>) => Scalar, x: readonly number[]): readonly number[] =>
  elements({ x: f32('time') }, { x: line(x) }, (given) => grad(f)(given.x))

describe('where a derivative is a choice, a limit or no number, it is PyTorch’s', () => {
  test.each(meanings.map((meaning) => [meaning.what, meaning] as const))('%s', (_, meaning) => {
    const { reverse, forward } = derivatives(meaning)
    expect(reverse).toEqual(meaning.gradient)
    expect(forward).toEqual(meaning.forward ?? meaning.gradient)
  })

  test('over two axes the share is even among all', () =>
    expect(
      elements({ x: f32('batch', 'time') }, { x: { sizes: [2, 2], data: [5, 1, 5, 5] } }, ({ x }) =>
        grad((y: typeof x): Scalar => max('batch', 'time')(y))(x),
      ),
    ).toEqual([1 / 3, 0, 1 / 3, 1 / 3]))
})

describe('a mask selects', () => {
  const masked = (f: (x: Tensor<'time'>, mask: Tensor<'time', 'bool'>) => Scalar, hidden: number) =>
    run({ x: f32('time'), mask: bool('time') }, { x: line([0.5, hidden, 2]), mask: line([1, 0, 1]) }, ({ x, mask }) =>
      valueAndGrad((y: typeof x) => f(y, mask))(x),
    ).map(({ data }) => Array.from(data))

  test.each([NaN, Infinity, -Infinity, 1e300])('%s where it is false reaches neither value nor gradient', (hidden) => {
    const [value, gradient] = masked((x, mask) => pipe(x, where(mask), exp, where(mask), sum('time')), hidden)

    expect(value![0]).toBeCloseTo(Math.exp(0.5) + Math.exp(2), 12)
    expect(gradient![1]).toBe(0)
    expect(gradient![2]).toBeCloseTo(Math.exp(2), 12)
  })

  test('an infinite slope where it is false comes to nothing', () => {
    const [, gradient] = masked((x, mask) => pipe(x, where(mask), sqrt, where(mask), sum('time')), 4)

    expect(gradient![1]).toBe(0)
  })

  test('a mask of a maximum is as good', () => {
    const [value, gradient] = masked((x, mask) => pipe(x, where(mask), max('time')), NaN)

    expect([value, gradient]).toEqual([[2], [0, 0, 1]])
  })
})

describe('what does not depend has gradient zero', () => {
  test('unused, stopped or only compared', () => {
    expect(gradientOf((x) => pipe(x, stopGradient, sum('time')), [1, 2])).toEqual([0, 0])
    expect(gradientOf((x) => pipe(equal(x, 1), (hit) => toF32(hit), sum('time')), [1, 2])).toEqual([0, 0])
    expect(
      run({ x: f32('time'), w: f32('time') }, { x: line([1, 2]), w: line([3, 4]) }, (p) =>
        grad((q: typeof p) => pipe(q.x, sum('time')))(p),
      ).map(({ data }) => Array.from(data)),
    ).toEqual([
      [1, 1],
      [0, 0],
    ])
  })

  test('an id outside added nowhere, so nothing comes back from there', () =>
    expect(
      elements({ x: f32('time'), ids: i32('time') }, { x: line([2, 3, 5]), ids: line([0, 1, 2]) }, ({ x, ids }) =>
        grad((y: typeof x) => {
          const grouped = pipe(y, scatterAdd('group', sub(ids, 1), { size: 2 }))
          return pipe(mul(grouped, grouped), sum('group'))
        })(x),
      ),
    ).toEqual([0, 6, 10]))
})

describe('a computed id outside', () => {
  /** x at the places 1, 2 and 3, of which the last is not there: only computed ids can be so. */
  const read = (x: Tensor<'time'>, ids: Tensor<'time', 'i32'>) => pipe(x, gather('time')(add(ids, 1)))

  test('reads no place: what it gives is NaN and does not change', () => {
    const [value, tangent, gradient] = run(
      { x: f32('time'), ids: i32('time') },
      { x: line([2, 3, 5]), ids: line([0, 1, 2]) },
      ({ x, ids }) => {
        const { value, tangent } = jvp((y: typeof x) => read(y, ids), x, mul(x, x))
        return [value, tangent, grad((y: typeof x) => pipe(read(y, ids), sum('time')))(x)]
      },
    ).map(({ data }) => Array.from(data))

    expect(value).toEqual([3, 5, NaN])
    expect(tangent).toEqual([9, 25, 0])
    expect(gradient).toEqual([0, 1, 1])
  })
})

test('log p of the greatest: the gradient of a ratio of parts is exact', () =>
  expect(gradientOf((x) => pipe(sub(x, log(pipe(exp(x), sum('time')))), mean('time')), [0, 0])[0]).toBeCloseTo(0, 15))
