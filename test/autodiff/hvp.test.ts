import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { grad, hvp } from '../../autodiff/index.js'
import { add, contract, exp, f32, mul, nested, type Scalar, sub, sum, tanh, type Tensor } from '../../dsl/index.js'
import { run } from './run.js'

type Embed = Tensor<'embed'>

describe('the Hessian times a vector', () => {
  interface Params {
    readonly a: Embed
    readonly rest: readonly [Scalar]
  }

  const loss = ({ a, rest: [b] }: Params): Scalar => pipe(mul(tanh(mul(a, b)), exp(mul(0.5, a))), sum('embed'))

  const specs = {
    p: { a: f32('embed'), rest: [f32()] },
    u: { a: f32('embed'), rest: [f32()] },
    v: { a: f32('embed'), rest: [f32()] },
  } as const
  const given = {
    p: { a: nested([0.5, -1, 2]), rest: [0.7] },
    u: { a: nested([1, 0.5, -2]), rest: [3] },
    v: { a: nested([-1, 4, 0.25]), rest: [-0.5] },
  }
  const inner = (x: Params, y: Params): Scalar => add(contract('embed')(x.a, y.a), mul(x.rest[0], y.rest[0]))

  test('is symmetric, and what differences of the gradient tend to', () => {
    const h = 2 ** -17
    const made = run(specs, given, ({ p, u, v }) => {
      const times = hvp(loss)(p)
      expectTypeOf(times(v)).toEqualTypeOf<typeof p>()
      const moved = (by: number): Params => ({ a: add(p.a, mul(v.a, by)), rest: [add(p.rest[0], mul(v.rest[0], by))] })
      const [up, down] = [grad(loss)(moved(h)), grad(loss)(moved(-h))]
      return [
        inner(u, times(v)),
        inner(v, times(u)),
        inner(u, { a: mul(sub(up.a, down.a), 0.5 / h), rest: [mul(sub(up.rest[0], down.rest[0]), 0.5 / h)] }),
      ]
    }).map(({ data }) => data[0]!)

    expect(made[0]).toBeCloseTo(made[1]!, 12)
    expect(made[0]).toBeCloseTo(made[2]!, 7)
    expect(made[0]).not.toBeCloseTo(0, 3)
  })

  test('of a linear function is 0, and of a square twice the vector', () => {
    const made = run({ x: f32('embed'), v: f32('embed') }, { x: nested([1, 2]), v: nested([3, 5]) }, ({ x, v }) => [
      hvp((y: Embed) => pipe(mul(y, 4), sum('embed')))(x)(v),
      hvp((y: Embed) => pipe(mul(y, y), sum('embed')))(x)(v),
    ])

    expect(made.map(({ data }) => Array.from(data))).toEqual([
      [0, 0],
      [6, 10],
    ])
  })
})
