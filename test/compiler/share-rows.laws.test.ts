import { pipe } from 'fp-ts/lib/function.js'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Plan, plan, printKernel, shareRows } from '../../compiler/index.js'
import { cumulativeSum, f32, logSumExp, program, type Program, softmax, sum } from '../../dsl/index.js'
import { interpretsWithin } from '../backends/agreement.js'
import { law } from '../law.js'
import { type AnyProgram, largeSizes, programsWithGradients } from '../programs/index.js'
import { right } from '../right.js'

const lanes = fc.constantFrom(2, 4, 8)

const agrees = (p: AnyProgram, n: number): void => interpretsWithin(p, (made) => shareRows(made, n))

law('rows that are shared agree with the reference within the computed bound', fc.property(programsWithGradients(), lanes, agrees), {
  runs: 300,
})

law('so they do at larger sizes', fc.property(programsWithGradients(largeSizes), lanes, agrees), { runs: 20 })

const sharedIn = (p: Program<unknown, unknown, unknown>): readonly boolean[] => {
  const shared: Plan = shareRows(right(plan(p)), 64)
  return shared.kernels.map(({ workgroup }) => workgroup !== undefined)
}

const rows = f32('row', 'k')

test('a softmax of rows is shared, a running sum is not', () => {
  expect(sharedIn(program({ inputs: { x: rows }, body: ({ x }) => ({ outputs: { y: pipe(x, softmax('k')) } }) }))).toEqual([true])
  expect(sharedIn(program({ inputs: { x: rows }, body: ({ x }) => ({ outputs: { y: pipe(x, cumulativeSum('k')) } }) }))).toEqual([false])
})

test('each takes every 64th element, and what they have is joined', () => {
  const p = program({ inputs: { x: rows }, body: ({ x }) => ({ outputs: { all: pipe(x, sum('k')), log: pipe(x, logSumExp('k')) } }) })
  const [kernel] = shareRows(right(plan(p)), 64).kernels
  expect(printKernel(kernel!)).toMatchInlineSnapshot(`
    "kernel sum_0(b0: write f32[], b1: write f32[], b2: read f32[], p0: i32, p1: f32, p2: i32, p3: f32)
      parallel i0 < p0
      together i3 < 64
      shared b3: f32[64]
      var acc: f32 = p1
      let t0: i32 = (i0 * p2)
      for i1 < (((p2 - i3) + 63) div 64)
        acc = max(acc, b2[(t0 + ((i1 * 64) + i3))])
      join acc by max
      var acc_1: f32 = 0.0
      var acc_2: f32 = 0.0
      let t2: bool = (acc < p3)
      let t3: f32 = select(t2, 0.0, acc)
      for i2 < (((p2 - i3) + 63) div 64)
        let t1: f32 = b2[(t0 + ((i2 * 64) + i3))]
        acc_1 = (acc_1 + t1)
        acc_2 = (acc_2 + exp((t1 - t3)))
      join acc_1 by add
      join acc_2 by add
      let t4: bool = (i3 == 0)
      if t4
        b0[i0] = acc_1
      let t5: f32 = log(acc_2)
      let t6: f32 = (t3 + t5)
      if t4
        b1[i0] = t6"
  `)
})
