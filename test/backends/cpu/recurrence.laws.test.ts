import * as E from 'fp-ts/lib/Either.js'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { evaluate } from '../../../backends/cpu/evaluate.js'
import { openCpu } from '../../../backends/cpu/index.js'
import { interpret } from '../../../compiler/index.js'
import { type AnySpec, type AnyTensor, build, cumulativeSum, f32, program, type Program, type Value } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { right } from '../../right.js'
import { load, must, planned } from '../opened.js'

const device = openCpu()
afterAll(device.release)

type Outputs = { readonly y: AnyTensor }

const readings = async (
  p: Program<unknown, unknown, Outputs>,
  inputs: Readonly<Record<string, Value>>,
): Promise<readonly (readonly number[])[]> => {
  const evaluated = evaluate(p, inputs as never, undefined, { precision: 'f32' })
  if (E.isLeft(evaluated)) throw new Error(JSON.stringify(evaluated.left))
  const loaded = await load(device, p)
  const made = await must(loaded.run(inputs as never))
  const interpreted = right(interpret(planned(p))(inputs as never))
  return [evaluated.right.outputs, interpreted.outputs, made].map(({ y }) => Array.from((y as unknown as Value).data))
}

const recurrence = (a: AnySpec, direction: 'forward' | 'backward') =>
  program({
    inputs: { a, x: f32('batch', 'time') },
    body: (given) => {
      const { a: coefficient, x } = given as unknown as { readonly a: AnyTensor; readonly x: AnyTensor }
      return { outputs: { y: build.linearRecurrence('time', direction)(coefficient, x) } }
    },
  }) as Program<unknown, unknown, Outputs>

const whole = fc.integer({ min: -3, max: 3 })
const rowsOf = (batch: number, time: number) => fc.array(whole, { minLength: batch * time, maxLength: batch * time })
const anyRows = fc
  .tuple(fc.nat({ max: 3 }), fc.nat({ max: 6 }))
  .chain(([batch, time]) =>
    fc.record({ batch: fc.constant(batch), time: fc.constant(time), x: rowsOf(batch, time), a: rowsOf(batch, time) }),
  )

const forward = (a: readonly number[], x: readonly number[]): readonly number[] => {
  let y = 0
  return x.map((x, t) => (y = t === 0 ? x : a[t]! * y + x))
}

const row = (all: readonly number[], b: number, time: number): readonly number[] => all.slice(b * time, (b + 1) * time)

const same = (made: readonly (readonly number[])[], expected: readonly number[]): boolean => {
  for (const y of made) expect(y.map((n) => n + 0)).toEqual(expected.map((n) => n + 0))
  return true
}

law(
  'yₜ = aₜ·yₜ₋₁ + xₜ in every reading',
  fc.asyncProperty(anyRows, async ({ batch, time, x, a }) => {
    const sizes = [batch, time]
    const made = await readings(recurrence(f32('batch', 'time'), 'forward'), { a: { sizes, data: a }, x: { sizes, data: x } })
    const expected = Array.from({ length: batch }, (_, b) => forward(row(a, b, time), row(x, b, time))).flat()
    return same(made, expected)
  }),
  { runs: 40 },
)

law(
  'backward it is the same from the end',
  fc.asyncProperty(anyRows, async ({ batch, time, x, a }) => {
    const sizes = [batch, time]
    const made = await readings(recurrence(f32('batch', 'time'), 'backward'), { a: { sizes, data: a }, x: { sizes, data: x } })
    const expected = Array.from({ length: batch }, (_, b) =>
      forward(row(a, b, time).toReversed(), row(x, b, time).toReversed()).toReversed(),
    ).flat()
    return same(made, expected)
  }),
  { runs: 40 },
)

law(
  'with the coefficient 1 it is the cumulative sum: its differences are what was summed',
  fc.asyncProperty(anyRows, async ({ batch, time, x }) => {
    const p = program({
      inputs: { x: f32('batch', 'time') },
      body: ({ x }) => ({ outputs: { y: cumulativeSum('time')(x) } }),
    })
    const made = await readings(p, { x: { sizes: [batch, time], data: x } })
    return same(
      made.map((y) => y.map((sum, i) => sum - (i % time === 0 ? 0 : y[i - 1]!))),
      x,
    )
  }),
  { runs: 40 },
)

describe('at the first place it is x itself, whatever the coefficient', () => {
  test.each([Infinity, NaN, -Infinity])('%d', async (first) => {
    const p = recurrence(f32('time'), 'forward')
    const made = await readings(p, { a: { sizes: [3], data: [first, 2, 0] }, x: { sizes: [2, 3], data: [1, 2, 3, 4, 5, 6] } })
    expect(made).toEqual([
      [1, 4, 3, 4, 13, 6],
      [1, 4, 3, 4, 13, 6],
      [1, 4, 3, 4, 13, 6],
    ])
  })
})
