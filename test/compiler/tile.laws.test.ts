import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpret, type Plan, plan, printKernel, tile } from '../../compiler/index.js'
import { contract, countOf, f32, type GivenFor, program, type Program, rename, type Value } from '../../dsl/index.js'
import { law } from '../law.js'
import { anyProgram } from '../programs/index.js'
import { right } from '../right.js'

type Any = Program<unknown, unknown, unknown>

const planned = (p: Any, side: number): Plan => tile(right(plan(p)), side)

/** What a program makes and leaves as state, as text. */
const made = (p: Any, side: number, inputs: GivenFor<unknown>, state: GivenFor<unknown> = {}): string =>
  JSON.stringify(right(interpret(planned(p, side))(inputs, state)), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value))

/** Numbers whose sums depend on the order of adding. */
const some = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: countOf(sizes) }, (_, i) => Math.sin(i + 1) * 3 ** (i % 7)),
})

const size = fc.nat({ max: 9 })

const attention = program({
  inputs: { q: f32('batch', 'time', 'head', 'dim'), k: f32('batch', 'time', 'head', 'dim'), w: f32({ head: 3, dim: 5, out: 8 }) },
  body: ({ q, k, w }) => {
    const scores = contract('dim')(q, pipe(k, rename({ time: 'key' })))
    const mixed = contract('key')(scores, pipe(k, rename({ time: 'key' })))
    return {
      outputs: { scores, out: contract('head', 'dim')(mixed, w), gram: contract('batch', 'time')(q, pipe(k, rename({ head: 'other' }))) },
    }
  },
})

law(
  'contractions in tiles have the bits of contractions output by output, at any sizes and sides',
  fc.property(size, size, fc.integer({ min: 2, max: 5 }), (batch, time, side) => {
    const inputs = { q: some(batch, time, 3, 5), k: some(batch, time, 3, 5), w: some(3, 5, 8) }
    return made(attention, side, inputs) === made(attention, 1, inputs)
  }),
  { runs: 40 },
)

law(
  'a program in tiles has the bits of the same program without',
  fc.property(anyProgram, ({ program, inputs, state }) => made(program, 4, inputs, state) === made(program, 1, inputs, state)),
)

test('a tile of two by two, and its edge', () => {
  const p = program({
    inputs: { x: f32({ row: 4, k: 3 }), y: f32('k', 'column') },
    body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
  })
  expect(planned(p, 2).kernels.map(printKernel).join('\n')).toMatchInlineSnapshot(`
    "kernel contract_0(b0: write f32[], b1: read f32[], b2: read f32[], p0: i32, p1: i32)
      parallel i0 < 2
      parallel i1 < p1
      let t0: i32 = (i1 * 2)
      let t1: bool = ((t0 + 2) <= p0)
      let t2: i32 = (i0 * 2)
      let t3: i32 = (t2 * 3)
      let t7: i32 = (t0 + 1)
      let t9: i32 = (t2 + 1)
      let t10: i32 = (t9 * 3)
      let t12: i32 = (t2 * p0)
      let t13: i32 = (t12 + t0)
      let t14: i32 = (t12 + t7)
      let t15: i32 = (t9 * p0)
      let t16: i32 = (t15 + t0)
      let t17: i32 = (t15 + t7)
      if t1
        var acc0: f32 = 0.0
        var acc1: f32 = 0.0
        var acc2: f32 = 0.0
        var acc3: f32 = 0.0
        for i2 < 3
          let t4: f32 = b1[(t3 + i2)]
          let t5: i32 = (i2 * p0)
          let t6: f32 = b2[(t0 + t5)]
          acc0 = (acc0 + (t4 * t6))
          let t8: f32 = b2[(t7 + t5)]
          acc1 = (acc1 + (t4 * t8))
          let t11: f32 = b1[(t10 + i2)]
          acc2 = (acc2 + (t11 * t6))
          acc3 = (acc3 + (t11 * t8))
        b0[t13] = acc0
        b0[t14] = acc1
        b0[t16] = acc2
        b0[t17] = acc3
      if not(t1)
        for i3 < 2
          let t18: i32 = (t2 + i3)
          let t19: bool = (t18 < 4)
          let t21: i32 = (t18 * 3)
          let t22: i32 = (t18 * p0)
          for i4 < 2
            let t20: i32 = (t0 + i4)
            let t23: i32 = (t22 + t20)
            if (t19 & (t20 < p0))
              var acc: f32 = 0.0
              for i7 < 3
                acc = (acc + (b1[(t21 + i7)] * b2[(t20 + (i7 * p0))]))
              b0[t23] = acc"
  `)
})
