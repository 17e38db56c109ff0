import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpret, type Plan, plan, printKernel, widen } from '../../compiler/index.js'
import { add, f32, mul, program, type Program, sum } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram, programsOf } from '../programs/index.js'
import { right } from '../right.js'

const planned = (p: Program<unknown, unknown, unknown>): Plan => right(plan(p))

/** What a plan makes and leaves as state, as text. */
const made = (plan: Plan, { inputs, state }: AnyProgram): string =>
  JSON.stringify(right(interpret(plan, 4)(inputs, state)), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value))

const keepsBits = (p: AnyProgram): boolean => made(widen(planned(p.program)), p) === made(planned(p.program), p)

law('a program four at a time has the bits of the same program', fc.property(anyProgram, keepsBits))

law('so it has where most axes are whole fours', fc.property(programsOf({ sizes: fc.constantFrom(4, 8, 3, 1), elements: 600 }), keepsBits))

const widened = (p: Program<unknown, unknown, unknown>): string => widen(planned(p)).kernels.map(printKernel).join('\n')

test('four turns of a loop as one, and four points as one', () => {
  const p = program({
    inputs: { x: f32({ row: 3, column: 8 }), y: f32('i') },
    body: ({ x, y }) => ({ outputs: { rows: sum('column')(x), z: add(mul(y, y), 1) } }),
  })
  expect(widened(p)).toMatchInlineSnapshot(`
    "kernel sum_0(b0: write f32[], b1: read f32[])
      parallel i0 < 3
      var acc: f32 = 0.0
      let t0: i32 = (i0 * 8)
      for i1 < 2
        let t1: i32 = (i1 * 4)
        acc = (acc + b1[(t0 + t1)])
        acc = (acc + b1[(t0 + (t1 + 1))])
        acc = (acc + b1[(t0 + (t1 + 2))])
        acc = (acc + b1[(t0 + (t1 + 3))])
      b0[i0] = acc
    kernel add_1(b0: write f32[], b1: read f32[], p0: i32, p1: i32)
      parallel i0 < p1
      let t0: i32 = (i0 * 4)
      let t1: f32 = b1[t0]
      b0[t0] = ((t1 * t1) + 1.0)
      let t2: i32 = (t0 + 1)
      let t3: f32 = b1[t2]
      b0[t2] = ((t3 * t3) + 1.0)
      let t4: i32 = (t0 + 2)
      let t5: f32 = b1[t4]
      b0[t4] = ((t5 * t5) + 1.0)
      let t6: i32 = (t0 + 3)
      let t7: f32 = b1[t6]
      b0[t6] = ((t7 * t7) + 1.0)"
  `)
})

test('what is not surely whole fours is left: rows would not begin at vectors', () => {
  const p = program({ inputs: { x: f32('row', 'column') }, body: ({ x }) => ({ outputs: { rows: sum('column')(x) } }) })
  expect(widen(planned(p)).kernels.map(printKernel)).toEqual(planned(p).kernels.map(printKernel))
})
