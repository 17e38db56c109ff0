import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { divided, interpret, type Plan, plan, printKernel, type Shares, type Sides, tile } from '../../compiler/index.js'
import { contract, countOf, f32, type GivenFor, mul, program, type Program, rename, sum, type Value } from '../../dsl/index.js'
import { law } from '../law.js'
import { anyProgram } from '../programs/index.js'
import { right } from '../right.js'

type Any = Program<unknown, unknown, unknown>

const none: Sides = { outer: 1, inner: 1 }

const planned = (p: Any, sides: Sides, shares?: Shares): Plan => tile(right(plan(p)), { tile: sides, ...(shares && { shares }) })

const textOf = (of: Plan, inputs: GivenFor<unknown>, state: GivenFor<unknown>): string =>
  JSON.stringify(right(interpret(of)(inputs, state)), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value))

/** What a program makes and leaves as state, as text. */
const made = (p: Any, sides: Sides, inputs: GivenFor<unknown>, state: GivenFor<unknown> = {}, shares?: Shares): string =>
  textOf(planned(p, sides, shares), inputs, state)

/** Numbers whose sums depend on the order of adding. */
const some = (...sizes: readonly number[]): Value => ({
  sizes,
  data: Float32Array.from({ length: countOf(sizes) }, (_, i) => Math.sin(i + 1) * 3 ** (i % 7)),
})

const size = fc.nat({ max: 9 })
const side = fc.integer({ min: 2, max: 5 })

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
  fc.property(size, size, side, side, (batch, time, outer, inner) => {
    const inputs = { q: some(batch, time, 3, 5), k: some(batch, time, 3, 5), w: some(3, 5, 8) }
    return made(attention, { outer, inner }, inputs) === made(attention, none, inputs)
  }),
  { runs: 40 },
)

law(
  'a program in tiles has the bits of the same program without',
  fc.property(
    anyProgram,
    ({ program, inputs, state }) => made(program, { outer: 4, inner: 4 }, inputs, state) === made(program, none, inputs, state),
  ),
)

const weighted = program({
  inputs: { x: f32('n'), weight: f32() },
  body: ({ x, weight }) => ({ outputs: { y: sum('n')(mul(weight, x)) } }),
})

law(
  'a sum of products in parts, which differ in length, has the same bits in tiles',
  fc.property(fc.nat({ max: 40 }), side, (n, inner) => {
    const inParts = divided(right(plan(weighted)), { partsFor: () => 8 }).plan
    const inputs = { x: some(n), weight: some() }
    return textOf(tile(inParts, { tile: { outer: inner, inner } }), inputs, {}) === textOf(inParts, inputs, {})
  }),
)

const shared: fc.Arbitrary<readonly [Sides, Shares]> = fc.constantFrom(
  [
    { outer: 2, inner: 2 },
    { lanes: 2, depth: 2 },
  ],
  [
    { outer: 2, inner: 4 },
    { lanes: 2, depth: 4 },
  ],
  [
    { outer: 1, inner: 3 },
    { lanes: 2, depth: 4 },
  ],
  [
    { outer: 4, inner: 2 },
    { lanes: 1, depth: 3 },
  ],
)

law(
  'what a workgroup shares changes no bit, at any sizes',
  fc.property(size, size, shared, (batch, time, [sides, shares]) => {
    const inputs = { q: some(batch, time, 3, 5), k: some(batch, time, 3, 5), w: some(3, 5, 8) }
    return made(attention, sides, inputs, {}, shares) === made(attention, none, inputs)
  }),
  { runs: 20 },
)

law(
  'nor does it in any program',
  fc.property(
    anyProgram,
    ({ program, inputs, state }) =>
      made(program, { outer: 2, inner: 2 }, inputs, state, { lanes: 2, depth: 2 }) === made(program, none, inputs, state),
  ),
)

test('a workgroup of two by two, whose points make two by two each', () => {
  const p = program({
    inputs: { x: f32({ row: 4, k: 2 }), y: f32({ k: 2, column: 4 }) },
    body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
  })
  expect(planned(p, { outer: 2, inner: 2 }, { lanes: 2, depth: 2 }).kernels.map(printKernel).join('\n')).toMatchInlineSnapshot(`
    "kernel contract_0(b0: write f32[], b1: read f32[], b2: read f32[])
      parallel i0 < 1
      parallel i1 < 1
      together i3 < 2
      together i4 < 2
      shared b3: f32[8]
      shared b4: f32[8]
      var acc0: f32 = 0.0
      var acc1: f32 = 0.0
      var acc2: f32 = 0.0
      var acc3: f32 = 0.0
      let t0: i32 = (i3 * 2)
      let t1: i32 = (t0 + i4)
      let t2: i32 = (t1 mod 1)
      let t3: i32 = (t2 * 2)
      let t4: i32 = (t3 * 4)
      let t5: i32 = (t1 div 1)
      let t6: i32 = (t4 + t5)
      let t7: i32 = (i0 * 4)
      let t8: i32 = (t7 + t5)
      let t9: i32 = (t8 * 2)
      let t11: i32 = (t3 + 1)
      let t12: i32 = (t11 * 4)
      let t13: i32 = (t12 + t5)
      let t14: i32 = (t1 div 2)
      let t15: i32 = (t14 * 4)
      let t16: i32 = (t1 mod 2)
      let t17: i32 = (t16 * 2)
      let t18: i32 = (t15 + t17)
      let t19: i32 = (i1 * 4)
      let t20: i32 = (t19 + t17)
      let t22: i32 = (t17 + 1)
      let t23: i32 = (t15 + t22)
      let t24: i32 = (t19 + t22)
      let t27: i32 = (i4 * 2)
      for i2 < 1
        let t10: i32 = (i2 * 2)
        b3[t6] = b1[(t9 + (t10 + t3))]
        b3[t13] = b1[(t9 + (t10 + t11))]
        let t21: i32 = ((t10 + t14) * 4)
        b4[t18] = b2[(t20 + t21)]
        b4[t23] = b2[(t24 + t21)]
        barrier
        for i5 < 2
          let t25: i32 = (i5 * 4)
          let t26: i32 = (t25 + t0)
          let left0: f32 = b3[t26]
          let left1: f32 = b3[(t26 + 1)]
          let t28: i32 = (t25 + t27)
          let right0: f32 = b4[t28]
          let right1: f32 = b4[(t28 + 1)]
          acc0 = (acc0 + (left0 * right0))
          acc1 = (acc1 + (left0 * right1))
          acc2 = (acc2 + (left1 * right0))
          acc3 = (acc3 + (left1 * right1))
        barrier
      let t29: i32 = ((t7 + t0) * 4)
      let t30: i32 = (t19 + t27)
      b0[(t29 + t30)] = acc0
      let t31: i32 = (t19 + (t27 + 1))
      b0[(t29 + t31)] = acc1
      let t32: i32 = ((t7 + (t0 + 1)) * 4)
      b0[(t32 + t30)] = acc2
      b0[(t32 + t31)] = acc3"
  `)
})

test('a tile of two by two, and its edge', () => {
  const p = program({
    inputs: { x: f32({ row: 4, k: 3 }), y: f32('k', 'column') },
    body: ({ x, y }) => ({ outputs: { z: contract('k')(x, y) } }),
  })
  expect(planned(p, { outer: 2, inner: 2 }).kernels.map(printKernel).join('\n')).toMatchInlineSnapshot(`
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
