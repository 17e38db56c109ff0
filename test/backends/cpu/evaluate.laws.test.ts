import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { expect } from 'vitest'
import { bindOnHost, type Evaluated, evaluateTensors, float64 } from '../../../backends/cpu/evaluate.js'
import { type AnyTensor, axisNames, build, countOf, rootsOf, sizes, topological } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { type AnyProgram, anyProgram } from '../../programs/index.js'

const { binary, contract, gather, pad, scatterAdd, slice, sum } = build

const boundOf = ({ program, inputs, state }: AnyProgram) =>
  E.getOrElseW((errors): never => {
    throw new Error(JSON.stringify(errors))
  })(bindOnHost(program, inputs, state))

law(
  'the sizes that were inferred are those that are found',
  fc.property(anyProgram, (p) => {
    const bound = boundOf(p)
    const values = evaluateTensors(rootsOf(p.program), bound, float64)
    for (const x of topological(rootsOf(p.program))) {
      const inferred = x.axes.map(({ size }) => sizes.evaluateSize(size, bound.sizes))
      expect({ axes: axisNames(x), sizes: inferred }).toEqual({ axes: values.get(x.node)!.axes, sizes: values.get(x.node)!.sizes })
      expect(values.get(x.node)!.data).toHaveLength(inferred.reduce<number>((p, q) => p * q!, 1))
    }
  }),
  { runs: 1000 },
)

const axis = (name: string, size: number) => ({ name, size: sizes.literal(size) })

/** A tensor of these axes with numbers that f64 adds and multiplies exactly. */
const whole = (path: string, dtype: 'f32' | 'i32', axes: Readonly<Record<string, number>>) => {
  const x = build.input(
    path,
    dtype,
    Object.entries(axes).map(([name, size]) => axis(name, size)),
  )
  const own = Object.values(axes)
  return {
    x,
    value: (numbers: readonly number[]) => ({
      sizes: own,
      data: numbers.slice(0, countOf(own)),
    }),
  }
}

const size = fc.integer({ min: 0, max: 4 })
const numbers = fc.array(fc.integer({ min: -9, max: 9 }), { minLength: 64, maxLength: 64 })

const evaluated = (
  y: AnyTensor,
  values: Readonly<Record<string, { sizes: readonly number[]; data: readonly number[] }>>,
): Evaluated<number> => evaluateTensors([y], { sizes: new Map(), values: new Map(Object.entries(values)) }, float64).get(y.node)!

const dot = (x: AnyTensor, y: AnyTensor): AnyTensor => sum(...axisNames(x))(binary('mul')(x, y))

law(
  'contract is the sum of the products',
  fc.property(size, size, size, size, numbers, numbers, (batch, i, j, k, m, n) => {
    const x = whole('x', 'f32', { batch, i, k })
    const y = whole('y', 'f32', { k, batch, j })
    const values = { x: x.value(m), y: y.value(n) }
    const axes = [axis('batch', batch), axis('i', i), axis('j', j), axis('k', k)]
    const everywhere = build.broadcastTo(axes)
    const summed = sum('k')(binary('mul')(everywhere(x.x), everywhere(y.x)))
    expect(evaluated(contract('k')(x.x, y.x), values)).toEqual(evaluated(summed, values))
  }),
)

law(
  'scatterAdd is the transpose of gather, ids outside and all',
  fc.property(size, size, size, numbers, numbers, numbers, (batch, time, embed, m, n, points) => {
    const table = whole('table', 'f32', { vocab: 5, embed, batch })
    const ids = whole('ids', 'i32', { batch, time })
    const ct = whole('ct', 'f32', { batch, time, embed })
    const values = {
      table: table.value(Array.from({ length: 80 }, (_, i) => m[i % 64]!)),
      ids: ids.value(points.map((id) => id % 7)),
      ct: ct.value(n),
    }
    const inside = build.map('and', binary('lessEqual')(0, ids.x), binary('less')(ids.x, 5))
    const gathered = build.select(inside, gather('vocab')(ids.x)(table.x), 0)
    const scattered = scatterAdd('vocab', ids.x, sizes.literal(5), ['time'])(ct.x)
    expect(evaluated(dot(ct.x, gathered), values).data).toEqual(evaluated(dot(table.x, scattered), values).data)
  }),
)

law(
  'pad is the transpose of slice',
  fc.property(size, size, fc.integer({ min: 1, max: 3 }), size, numbers, numbers, (batch, count, step, start, m, n) => {
    const time = start + step * count
    const x = whole('x', 'f32', { batch, time })
    const ct = whole('ct', 'f32', { time: count, batch })
    const values = { x: x.value(m), ct: ct.value(n) }
    const from = sizes.literal(start)
    const sliced = slice('time', { start: from, step, size: sizes.literal(count) })(x.x)
    const padded = pad('time', { start: from, step, size: sizes.literal(time) })(ct.x)
    expect(evaluated(dot(ct.x, sliced), values).data).toEqual(evaluated(dot(x.x, padded), values).data)
  }),
)
