import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpret, keep, type Plan, plan, printKernel, widen } from '../../compiler/index.js'
import { add, exp, f32, logSumExp, mul, program, type Program, softmax, sub, sum } from '../../dsl/index.js'
import { law } from '../law.js'
import { type AnyProgram, anyProgram } from '../programs/index.js'
import { right } from '../right.js'

const planned = (p: Program<unknown, unknown, unknown>): Plan => right(plan(p))

type Given = Pick<AnyProgram, 'inputs' | 'state'>

const made = (plan: Plan, { inputs, state }: Given): string =>
  JSON.stringify(right(interpret(plan, 4)(inputs, state)), (_, value: unknown) => (Object.is(value, -0) ? '-0' : value))

const expsOf = (plan: Plan): number =>
  plan.kernels
    .map(printKernel)
    .join('\n')
    .match(/\bexp\(/g)?.length ?? 0

law(
  'a program that keeps what it would make twice has the bits of the same program',
  fc.property(anyProgram, (p) => made(keep(planned(p.program)), p) === made(planned(p.program), p)),
)

const rows = program({ inputs: { x: f32('row', 'column') }, body: ({ x }) => ({ outputs: { p: softmax('column')(x) } }) })

const whole = program({ inputs: { x: f32({ row: 3, column: 8 }) }, body: ({ x }) => ({ outputs: { p: softmax('column')(x) } }) })

const x = (...sizes: readonly number[]): Given => ({
  inputs: { x: { sizes, data: Float32Array.from({ length: sizes.reduce((all, size) => all * size, 1) }, (_, i) => 5 * Math.sin(i + 1)) } },
  state: {},
})

test.each([
  ['of open sizes', rows, x(4, 7)],
  ['of no size', rows, x(4, 0)],
  ['of whole fours', whole, x(3, 8)],
])('softmax over rows %s makes each exponential once, with the same bits', (_, p, given) => {
  expect([expsOf(planned(p)), expsOf(keep(planned(p)))]).toEqual([2, 1])
  expect(made(widen(keep(planned(p))), given)).toBe(made(planned(p), given))
})

test('what depends on the sum itself, and what is cheap, is made again', () => {
  const again = program({
    inputs: { x: f32('row', 'column') },
    body: ({ x }) => {
      const total = sum('column')(exp(x))
      return { outputs: { centred: exp(sub(x, total)), scaled: mul(add(x, 1), sum('column')(add(x, 1))), all: logSumExp('column')(x) } }
    },
  })
  expect(keep(planned(again)).kernels.map(printKernel)).toEqual(planned(again).kernels.map(printKernel))
})
